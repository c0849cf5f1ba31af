/* The named normal contact laws, made from their table. */
#include "kinds/normal/law.h"

#define CAROM_KIND(symbol, ...) const carom_law_kind carom_law_##symbol = {__VA_ARGS__};
#include "kinds/normal/named.def"
#undef CAROM_KIND
