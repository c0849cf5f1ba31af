# Writes the bytes of the file FROM as numbers of a C array to TO.
file(READ "${FROM}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE "${TO}" "${bytes}\n")
