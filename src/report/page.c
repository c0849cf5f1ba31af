/* The result page within the library: its file is put into the read-only data by the assembler, or with the option
   CAROM_PORTABLE by the compiler, as an array of its bytes. */
#include "report/page.h"

#ifdef CAROM_PAGE_ARRAY

static const unsigned char page[] = {
#include CAROM_PAGE_ARRAY
    0};

const char *carom_page(size_t *length)
{
    *length = sizeof page - 1;
    return (const char *)page;
}

#elif defined(CAROM_PAGE_FILE)

/* Both symbols are local to this file, so a shared library neither exports nor relocates them. */
__asm__(".pushsection .rodata\n"
        ".type carom_page_text, %object\n"
        "carom_page_text:\n"
        ".incbin \"" CAROM_PAGE_FILE "\"\n"
        "carom_page_end:\n"
        ".byte 0\n"
        ".size carom_page_text, . - carom_page_text\n"
        ".popsection\n");

extern const char carom_page_text[] __attribute__((visibility("hidden")));
extern const char carom_page_end[] __attribute__((visibility("hidden")));

const char *carom_page(size_t *length)
{
    *length = (size_t)(carom_page_end - carom_page_text);
    return carom_page_text;
}

#else

const char *carom_page(size_t *length)
{
    *length = 0;
    return NULL;
}

#endif
