/* The JSON writer (carom/json.h): layout, escapes, numbers, memory. */
#include "carom_test.h"

#include <math.h>

static void write_all(carom_json *json)
{
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "text", "a \"b\"\n\t\\ <c> \x01 \xc3\xa9 \xff");
    carom_json_text(json, "none", NULL);
    carom_json_number(json, "third", 1.0 / 3);
    carom_json_number(json, "lost", (double)NAN);
    carom_json_integer(json, "large", INT64_MIN);
    carom_json_bool(json, "yes", true);
    carom_json_numbers(json, "list", (const double[]){1, 2.5}, 2);
    carom_json_begin(json, "empty", '[');
    carom_json_end(json, ']');
    carom_json_begin(json, "rows", '[');
    carom_json_begin(json, NULL, '{');
    carom_json_null(json, "x");
    carom_json_end(json, '}');
    carom_json_text(json, NULL, "y");
    carom_json_end(json, ']');
    carom_json_end(json, '}');
}

#define TEXT "\"a \\\"b\\\"\\n\\t\\\\ \\u003cc> \\u0001 \xc3\xa9 \\ufffd\""

static void test_compact(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_json *json;
    const char *text;
    ctx = new_context();
    assert_int_equal(carom_json_create(ctx, false, &json), CAROM_OK);
    assert_int_equal(carom_json_get(json, &text), CAROM_OK);
    assert_string_equal(text, "");
    write_all(json);
    assert_int_equal(carom_json_get(json, &text), CAROM_OK);
    assert_string_equal(text, "{\"text\":" TEXT ",\"none\":null,\"third\":0.33333333333333331,\"lost\":null,"
                              "\"large\":-9223372036854775808,\"yes\":true,\"list\":[1,2.5],\"empty\":[],"
                              "\"rows\":[{\"x\":null},\"y\"]}");
    carom_json_free(json);
    carom_json_free(NULL);
    carom_context_free(ctx);
}

static void test_indented(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_json *json;
    const char *text;
    ctx = new_context();
    assert_int_equal(carom_json_create(ctx, true, &json), CAROM_OK);
    write_all(json);
    assert_int_equal(carom_json_get(json, &text), CAROM_OK);
    assert_string_equal(text,
                        "{\n  \"text\": " TEXT ",\n  \"none\": null,\n  \"third\": 0.33333333333333331,\n"
                        "  \"lost\": null,\n  \"large\": -9223372036854775808,\n  \"yes\": true,\n"
                        "  \"list\": [1, 2.5],\n  \"empty\": [],\n  \"rows\": [\n    {\n      \"x\": null\n    },\n"
                        "    \"y\"\n  ]\n}\n");
    carom_json_free(json);
    carom_context_free(ctx);
}

/* Members that carom_impact_fields() lists, by their kinds. */
static void test_fields(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_json *json;
    const char *text;
    size_t count;
    const carom_field *fields = carom_ledger_fields(&count);
    const carom_ledger ledger = {.start = 2};
    ctx = new_context();
    assert_int_equal(carom_json_create(ctx, false, &json), CAROM_OK);
    carom_json_begin(json, NULL, '{');
    carom_json_fields(json, fields, 1, &ledger);
    carom_json_end(json, '}');
    assert_int_equal(carom_json_get(json, &text), CAROM_OK);
    assert_string_equal(fields[0].name, "start");
    assert_string_equal(text, "{\"start\":2}");
    carom_json_free(json);
    carom_context_free(ctx);
}

static void *refuse(void *user, size_t size)
{
    size_t *left = user;
    return (*left)-- > 0 ? malloc(size) : NULL;
}

static void release(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

static void test_says_that_memory_ran_out(void **state)
{
    (void)state;
    for (size_t room = 1;; room++) {
        size_t left = 100;
        carom_context_def def = carom_default_context_def();
        def.allocator = (carom_allocator){refuse, release, &left};
        carom_context *ctx;
        carom_json *json;
        const char *text;
        assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
        left = room;
        assert_int_equal(carom_json_create(ctx, true, &json), CAROM_OK);
        write_all(json);
        const carom_status status = carom_json_get(json, &text);
        assert_true(status == CAROM_OK || status == CAROM_ERROR_MEMORY);
        carom_json_free(json);
        carom_context_free(ctx);
        if (status == CAROM_OK)
            break;
        assert_true(room < 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compact),
        cmocka_unit_test(test_indented),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_says_that_memory_ran_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
