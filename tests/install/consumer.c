/* The least a program that uses the installed library can do. */
#include <stdio.h>
#include <carom/carom.h>

int main(void)
{
    carom_context *ctx = NULL;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    printf("carom %s\n", carom_version());
    carom_context_destroy(ctx);
    return 0;
}
