#include "carom_test.h"

#include "support/svg.h"

svg_path *svg_find_path(const char *svg, const char *mark)
{
    const char *at = strstr(svg, mark);
    assert_non_null(at);
    const char *d = strstr(at, " d=\"");
    assert_non_null(d);
    assert_true(d < strstr(at, "/>"));
    svg_path *p = test_calloc(1, sizeof *p);
    for (char *s = (char *)d + 4; *s != '"';) {
        if (*s == 'M')
            p->pieces++;
        if (strchr("MLZC ", *s)) {
            s++;
            continue;
        }
        assert_true(p->points < SVG_MOST_POINTS);
        p->x[p->points] = strtod(s, &s);
        p->y[p->points++] = strtod(s, &s);
    }
    return p;
}

size_t svg_count(const char *svg, const char *text)
{
    size_t count = 0;
    for (const char *at = strstr(svg, text); at; at = strstr(at + 1, text))
        count++;
    return count;
}

char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = test_malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}
