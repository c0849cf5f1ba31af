/* Attributes of a description: numbers and names. */
#include "import/robot.h"

#include <stdio.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

carom_status carom_import_list(carom_robot *robot, const carom_xml *element, const char *name, const char *text,
                               int least, int most, double *out, int *count)
{
    int found = 0;
    for (const char *c = text; *c;) {
        while (is_blank(*c))
            c++;
        size_t length = 0;
        while (c[length] && !is_blank(c[length]))
            length++;
        if (!length)
            break;
        double number;
        if (!carom_parse_number(c, length, &number))
            return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &element->place,
                              "'%.60s' of <%.60s>: '%.*s' is no number%s", name, element->name,
                              (int)(length < 60 ? length : 60), c,
                              strstr(text, "${") ? "; this is a xacro file: run `xacro FILE > robot.urdf` and read that"
                                                 : " that is finite, such as 0.25");
        if (found < most)
            out[found] = number;
        found += found <= most;
        c += length;
    }
    *count = found;
    if (found >= least && found <= most)
        return CAROM_OK;
    char range[40];
    snprintf(range, sizeof range, least < most ? "%d to %d" : "%d", least, most);
    return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &element->place, "'%.60s' of <%.60s> takes %s number%s, not %s%d",
                      name, element->name, range, most == 1 ? "" : "s between blanks", found > most ? "more than " : "",
                      found > most ? most : found);
}

carom_status carom_import_numbers(carom_robot *robot, const carom_xml *element, const char *name, const char *text,
                                  int count, double *out)
{
    int found;
    return carom_import_list(robot, element, name, text, count, count, out, &found);
}

carom_status carom_import_vector(carom_robot *robot, carom_xml *element, const char *name, int count, double *out,
                                 bool *given)
{
    const char *text = carom_xml_get(element, name);
    if (given)
        *given = text != NULL;
    return text ? carom_import_numbers(robot, element, name, text, count, out) : CAROM_OK;
}

static carom_status fail_missing(carom_robot *robot, const carom_xml *element, const char *name)
{
    const char *names[64];
    size_t count = 0;
    for (const carom_xml_attribute *a = element->attributes; a && count < CAROM_COUNT(names); a = a->next)
        names[count++] = a->name;
    const char *nearest = carom_nearest_name(name, names, count);
    return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &element->place, "<%.60s> needs '%s'%s%.60s%s", element->name,
                      name, nearest ? "; is '" : "", nearest ? nearest : "", nearest ? "' misspelt?" : "");
}

carom_status carom_import_required(carom_robot *robot, carom_xml *element, const char *name, int count, double *out)
{
    bool given;
    CAROM_TRY(carom_import_vector(robot, element, name, count, out, &given));
    return given ? CAROM_OK : fail_missing(robot, element, name);
}

carom_status carom_import_text_of(carom_robot *robot, carom_xml *element, const char *name, const char **out)
{
    *out = carom_xml_get(element, name);
    if (!*out)
        return fail_missing(robot, element, name);
    if (!**out)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &element->place, "'%s' of <%.60s> is empty", name,
                          element->name);
    return CAROM_OK;
}
