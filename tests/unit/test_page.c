/* The result page that the library carries: whole, with one place for the data, and nothing to fetch. */
#include "carom_test.h"

#include "report/page.h"

static void skip_without_page(const char *page)
{
    if (!page)
        skip();
}

static void test_page_is_whole(void **state)
{
    (void)state;
    size_t length = 1;
    const char *page = carom_page(&length);
    if (!page)
        assert_int_equal(length, 0);
    skip_without_page(page);
    assert_true(length > 1000);
    assert_int_equal(strlen(page), length);
    assert_memory_equal(page, "<!doctype html>", 15);
    assert_non_null(strstr(page, "</html>"));
}

static void test_page_has_one_place(void **state)
{
    (void)state;
    size_t length;
    const char *page = carom_page(&length);
    skip_without_page(page);
    const char *place = strstr(page, "\n" CAROM_PAGE_PLACE "\n");
    assert_non_null(place);
    assert_null(strstr(place + 2, CAROM_PAGE_PLACE));
    /* the script reads the data, so it comes after them */
    assert_non_null(strstr(place, "<script>"));
}

static void test_page_fetches_nothing(void **state)
{
    (void)state;
    static const char *const fetches[] = {"src=\"http", "href=\"http", "src=http", "href=http",
                                          "url(http",   "url(\"http",  "@import",  "sourceMappingURL"};
    size_t length;
    const char *page = carom_page(&length);
    skip_without_page(page);
    for (size_t k = 0; k < sizeof fetches / sizeof fetches[0]; k++)
        if (strstr(page, fetches[k]))
            fail_msg("the page has %s", fetches[k]);
    assert_true(length < 900000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_is_whole),
        cmocka_unit_test(test_page_has_one_place),
        cmocka_unit_test(test_page_fetches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
