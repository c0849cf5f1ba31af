#include "carom_test.h"

#include "support/json_at.h"

double number_at(const json *value, const char *path)
{
    const json *found = json_get(value, path);
    if (json_type_of(found) != JSON_NUMBER)
        fail_msg("there is no number '%s'", path);
    return json_number(found);
}

const char *text_at(const json *value, const char *path)
{
    const char *text = json_text(json_get(value, path));
    if (!text)
        fail_msg("there is no text '%s'", path);
    return text;
}

void assert_name(const json *object, size_t k, const char *name)
{
    const char *found = json_name(object, k);
    if (!found || strcmp(found, name) != 0)
        fail_msg("key %zu is '%s', not '%s'", k, found ? found : "(none)", name);
}

void assert_keys(const json *object, const char *const *keys, size_t count)
{
    assert_non_null(object);
    for (size_t k = 0; k < count; k++)
        assert_name(object, k, keys[k]);
    assert_int_equal(json_size(object), count);
}
