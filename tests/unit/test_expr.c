/* The expression language: grammar, errors, measures, limits, memory, fuzz. */
#include "expr_scope.h"

/* ---- grammar and constants ---- */

static const struct {
    const char *text;
    double value;
} numbers[] = {
    {"1", 1.0},
    {" 1e-4 ", 1e-4},
    {".5", 0.5},
    {"5.", 5.0},
    {"1.5E+2", 150.0},
    {"1-2-3", -4.0},
    {"12/3/2", 2.0},
    {"-2^2", -4.0},
    {"2^-1", 0.5},
    {"2^3^2", 512.0},
    {"2^-1*3", 1.5},
    {"(2^3)^2", 64.0},
    {"-2*-3", 6.0},
    {"--3", 3.0},
    {"+3", 3.0},
    {"3*-2^2", -12.0},
    {"2^-3^2", 1.0 / 512.0},
    {"2+3*4^2/8", 8.0},
    {"1<2", 1.0},
    {"2<=2", 1.0},
    {"3<2", 0.0},
    {"2>2", 0.0},
    {"2>=2", 1.0},
    {"1==1", 1.0},
    {"1!=1", 0.0},
    {"not 1 < 2", 0.0},
    {"not 0 and 0", 0.0},
    {"1 or 0 and 0", 1.0},
    {"0 or 5", 1.0},
    {"1 and 7", 1.0},
    {"(1<2)*5", 5.0},
    {"1+1<3 and 2*2==4", 1.0},
    {"omega", 150.0},
    {"L1/2", 0.0765},
    {"-L1/2", -0.0765},
    {"a-8.5*mm", 0.3 - 8.5 * 1e-3},
    {"2*pi", 2.0 * CAROM_PI},
    {"0.1*ms", 0.1 * 1e-3},
    {"207*GPa", 207.0 * 1e9},
    {"3*min", 180.0},
    {"min(3, 2)", 2.0},
    {"rev/min", CAROM_PI / 30.0},
    {"150*rpm", 150.0 * (CAROM_PI / 30.0)},
    {"54.8*deg", 54.8 * (CAROM_PI / 180.0)},
    {"9.81*m/s^2", 9.81},
    {"2*tonne + 3*gram", 2000.003},
    {"20*km/hour", 20.0 * 1e3 / 3600.0},
    {"5*MN/mN", 5e9},
    {"A*e", 1.75},
    {"2^0.5", 1.4142135623730951},
    {"abs(-3)", 3.0},
    {"sign(-2)", -1.0},
    {"sign(0)", 0.0},
    {"sign(4)", 1.0},
    {"min(4,2,3)", 2.0},
    {"max(4,2,9,3)", 9.0},
    {"mod(7,3)", 1.0},
    {"mod(-1,3)", 2.0},
    {"mod(7,-3)", -2.0},
    {"floor(-1.5)", -2.0},
    {"ceil(-1.5)", -1.0},
    {"floor(1e15+0.5)", 1e15},
    {"atan2(1,-1)", 0.75 * CAROM_PI},
    {"hypot(3,4)", 5.0},
    {"pow(2,10)", 1024.0},
    {"log10(1000)", 3.0},
    {"exp(1)", 2.718281828459045},
    {"if(1<2, 3, 4)", 3.0},
    {"if(zero>0, 1/zero, 8)", 8.0},
    {"if(zero==0, 8, log(zero))", 8.0},
    {"zero!=0 and 1/zero>3", 0.0},
    {"zero==0 or 1/zero>3", 1.0},
    {"if(flag, A, td)", 2.5},
    {"step(0.5,0,1,1,3)", 2.0},
    {"step5(2,0,1,1,3)", 3.0},
    {"step5(-2,0,0.1,1,0.3)", 0.1},
    {"havsin(0.25,0,0,1,1)", 0.14644660940672624},
    {"poly(3,1,5,4,2)", 21.0},
    {"poly(3,1,7)", 7.0},
    {"spline(cam, 0.5)", 0.2},
    {"1/0.5^2", 4.0},
    {"2 ^ 4", 16.0},
    {"zero^0", 1.0},
    {"(-2)^3", -8.0},
    {"0.5^-4", 16.0},
};

static void test_numbers(void **state)
{
    (void)state;
    double worst = 0.0;
    for (size_t k = 0; k < CAROM_COUNT(numbers); k++) {
        double value;
        carom_expr *expr = compile(numbers[k].text);
        if (!carom_expr_is_constant(expr) || carom_expr_switch_count(expr) || carom_expr_root_count(expr))
            fail_msg("%s is not constant", numbers[k].text);
        if (carom_expr_number(ctx, &full_scope, numbers[k].text, NULL, &value) != CAROM_OK)
            fail_msg("%s: %s", numbers[k].text, carom_context_error(ctx));
        double error = fabs(value - numbers[k].value) / fmax(1e-3, fabs(numbers[k].value));
        if (!(error <= 4e-16) || value != carom_expr_value(expr, 0.0, NULL, NULL))
            fail_msg("%s = %.17g, not %.17g", numbers[k].text, value, numbers[k].value);
        worst = largest(worst, error);
    }
    printf("  %zu constants, worst relative error %.1e (limit 4e-16)\n", CAROM_COUNT(numbers), worst);
}

/* The same with the numbers read at run time: t stands for 1, so nothing is folded. */
static void test_folding_has_the_bits_of_running(void **state)
{
    (void)state;
    static const char *const forms[] = {"sin(%s)",
                                        "(%s)^3",
                                        "(%s)^-5",
                                        "(%s)^1.5",
                                        "(%s)^2.7",
                                        "exp(%s)/3",
                                        "tanh(%s)",
                                        "abs(0.3-%s)",
                                        "mod(%s,0.21)",
                                        "step5(%s,0,1,2,3)",
                                        "havsin(%s,0,1,2,3)",
                                        "spline(cam,%s)",
                                        "max(%s,0.7)",
                                        "sqrt(%s)*7-1/(%s)",
                                        "atan2(%s,0.4)",
                                        "poly(%s,0.2,1,2,3)",
                                        "hypot(2,%s)",
                                        "ceil(3.1*(%s))",
                                        "sign(%s-2)"};
    for (size_t k = 0; k < CAROM_COUNT(forms); k++) {
        for (int i = 1; i < 20; i++) {
            char text[128], number[32];
            int switches[8];
            snprintf(number, sizeof number, "%.17g", 0.1 * i);
            snprintf(text, sizeof text, forms[k], number, number);
            double folded = carom_expr_value(compile(text), 0.0, NULL, NULL);
            snprintf(text, sizeof text, forms[k], "t", "t");
            carom_expr *expr = compile(text);
            carom_expr_set_switches(expr, 0.1 * i, NULL, switches);
            double run = carom_expr_value(expr, 0.1 * i, NULL, switches);
            if (memcmp(&folded, &run, sizeof run) != 0)
                fail_msg("%s at %s: %.17g folded, %.17g run", text, number, folded, run);
        }
    }
}

/* ---- errors ---- */

static const struct {
    const char *text;
    int column; /* of the culprit, from 1 */
    const char *part;
} errors[] = {
    {"", 1, "empty"},
    {"   ", 1, "empty"},
    {"omga*2", 1, "no parameter or constant 'omga'; did you mean 'omega'?"},
    {"2*sun(3)", 3, "no function 'sun'; did you mean 'sin'?"},
    {"3 + frobnicate", 5, "no parameter or constant 'frobnicate'"},
    {"1/0", 2, "division by zero"},
    {"t/(A-A)", 2, "division by zero"},
    {"1 + 2/zero", 6, "division by zero"},
    {"sin", 1, "function 'sin' needs its arguments: sin(x)"},
    {"2*step + 1", 3, "step(x, x0, h0, x1, h1)"},
    {"sin(1,2)", 1, "sin takes 1 argument, not 2: sin(x)"},
    {"t + step(t,0,1)", 5, "step takes 5 arguments, not 3"},
    {"min(1)", 1, "min takes 2 to 32 arguments, not 1"},
    {"atan2()", 1, "atan2 takes 2 arguments, not 0"},
    {"(1+2", 1, "not closed"},
    {"2*(1+2", 3, "not closed"},
    {"sin(1", 1, "not closed"},
    {"1+2)", 4, "')' without '('"},
    {"1 $ 2", 3, "stray character '$'"},
    {"1 + \xC3\xA9", 5, "stray character '\xC3\xA9'"},
    {"2\xC2\xB7t", 2, "write '*'"},
    {"1 + \xFF", 5, "stray byte 0xFF"},
    {"2**3", 2, "x^y"},
    {"1 && 2", 3, "write 'and'"},
    {"t = 3", 3, "write '=='"},
    {"20 mm", 4, "an operator is missing before 'mm'"},
    {"2 3", 3, "operator is missing"},
    {"1.2.3", 1, "'1.2.3' is not a number"},
    {"1e999", 1, "not a number that can be represented"},
    {"1 +", 4, "ends where a value"},
    {"* 2", 1, "'*' stands where a value"},
    {"1, 2", 2, "','"},
    {"(1, 2)", 3, "','"},
    {"()", 1, "empty"},
    {"1 < 2 < 3", 7, "cannot be chained"},
    {"if(t, 1, 2)", 4, "a condition is needed"},
    {"t and t > 1", 1, "a condition is needed"},
    {"not t", 5, "a condition is needed"},
    {"1 + not 2", 5, "needs parentheses"},
    {"step(t, 1, 0, 1, 2)", 1, "x0 < x1"},
    {"step(1, t, 0, 1, 2)", 1, "must be constant"},
    {"log(-2)", 1, "logarithm of -2"},
    {"2*sqrt(-4)", 3, "square root of the negative number -4"},
    {"(-8)^0.5", 5, "-8"},
    {"zero^-1", 5, "division by zero"},
    {"asin(2)", 1, "-1 to 1"},
    {"exp(1000)", 1, "not finite"},
    {"(-2)^t", 5, "must be positive"},
    {"m(3)", 1, "'m' is not a function"},
    {"omega(3)", 1, "'omega' is not a function"},
    {"spline(cum, t)", 1, "no spline 'cum'"},
    {"spline(cam)", 11, "spline takes a name"},
    {"spline(t+1, t)", 9, "spline takes a name"},
    {"angle(pim)", 1, "no joint 'pim'"},
    {"2*length(pin)", 3, "no function 'length'"},
    {"sine(2*t)", 1, "no function 'sine'; did you mean 'sin'?"},
    {"angle(2*t)", 1, "a measure takes names only"},
    {"ln(2)", 1, "'log'"},
    {"mod(t, 0)", 1, "division by zero"},
    {"PI", 1, "write pi"},
    {"if(t<1, 1/zero, 2)", 10, "division by zero"},
    {"if(1, 2, frob)", 10, "no parameter or constant 'frob'"},
};

static void test_errors_name_the_place(void **state)
{
    (void)state;
    const carom_place place = {"model.yaml", 7, 11};
    for (size_t k = 0; k < CAROM_COUNT(errors); k++) {
        carom_expr *expr = NULL;
        if (carom_expr_compile(&arena, &full_scope, errors[k].text, &place, &expr) != CAROM_ERROR_MODEL || expr)
            fail_msg("'%s' compiles", errors[k].text);
        char start[64];
        snprintf(start, sizeof start, "model.yaml:7:%d: ", 10 + errors[k].column);
        const char *text = carom_context_error(ctx);
        if (strncmp(text, start, strlen(start)) != 0 || !strstr(text, errors[k].part))
            fail_msg("'%s': expected '%s ... %s', got '%s'", errors[k].text, start, errors[k].part, text);
        carom_expr_compile(&arena, &full_scope, errors[k].text, NULL, &expr);
        snprintf(start, sizeof start, "column %d: ", errors[k].column);
        assert_int_equal(strncmp(carom_context_error(ctx), start, strlen(start)), 0);
    }
    printf("  %zu errors with column and text\n", CAROM_COUNT(errors));
}

static void test_errors_of_constant_fields(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"2*t", "may not depend on time"},   {"angle(pin)", "may not depend on the state"}, {"g", "'gram'"},
        {"e*2", "Euler's number is exp(1)"}, {"q", "no parameter or constant 'q'"},         {"angle(pin)+", "ends"}};
    carom_expr_scope scope = full_scope;
    scope.count = 1;
    double value = -1.0;
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        assert_int_equal(carom_expr_number(ctx, &scope, rows[k].text, NULL, &value), CAROM_ERROR_MODEL);
        if (!strstr(carom_context_error(ctx), rows[k].part))
            fail_msg("%s: %s", rows[k].text, carom_context_error(ctx));
    }
    assert_true(value == -1.0);
    scope.measure = NULL;
    assert_refused(ctx, carom_expr_number(ctx, &scope, "angle(pin)", NULL, &value),
                   CAROM_ERROR_MODEL, "not available here");
    assert_int_equal(carom_expr_number(ctx, NULL, "3*mm", NULL, &value), CAROM_OK);
    assert_true(value == 3.0 * 1e-3);
    const double bad = NAN;
    const char *const name[] = {"bad"};
    carom_expr_scope odd = {.names = name, .values = &bad, .count = 1};
    assert_int_equal(carom_expr_number(ctx, &odd, "2*bad", NULL, &value), CAROM_ERROR_MODEL);
}

static void test_words(void **state)
{
    (void)state;
    size_t count, rows;
    const char *const *reserved = carom_expr_reserved(&count);
    const carom_expr_word *words = carom_expr_words(&rows);
    assert_true(count < rows);
    for (size_t k = 0, r = 0; k < rows; k++) {
        double value;
        assert_true(carom_expr_is_reserved(words[k].name) == !words[k].late);
        if (!words[k].late)
            assert_string_equal(words[k].name, reserved[r++]);
        assert_true(strlen(words[k].description) > 3 && strlen(words[k].signature) > 0);
        if (!words[k].is_function && words[k].value != 0.0) {
            assert_int_equal(carom_expr_number(ctx, NULL, words[k].name, NULL, &value), CAROM_OK);
            assert_true(value == words[k].value);
        }
    }
    static const char *const free_names[] = {"a",     "e",   "g", "h",  "k", "c", "L1",
                                             "omega", "law", "E", "nu", "x", "r", "R"};
    for (size_t k = 0; k < CAROM_COUNT(free_names); k++)
        assert_false(carom_expr_is_reserved(free_names[k]));
    printf("  %zu words\n", count);
}

/* ---- measures ---- */

static void test_measures(void **state)
{
    (void)state;
    double measures[3] = {0.5, -2.0, 7.0};
    carom_expr *expr = compile("2*angle(pin) + speed( pin )*distance(crank.tip, block-2)*t");
    assert_string_equal(measure_seen, "distance crank.tip block-2");
    assert_true(carom_expr_uses_measures(expr) && !carom_expr_is_constant(expr));
    assert_int_equal(carom_expr_switch_count(expr), 0);
    assert_true(carom_expr_value(expr, 3.0, measures, NULL) == 1.0 - 42.0);
    assert_true(isnan(carom_expr_jet(expr, 3.0, NULL).value));

    expr = compile("if(angle(pin) > 1 or t >= 2, abs(speed(pin)), step(angle(pin), 0, 10, 1, 20)) + floor(angle(pin))");
    int count = carom_expr_switch_count(expr), roots = carom_expr_root_count(expr), switches[8], later[8];
    assert_int_equal(count, 5);
    assert_int_equal(roots, 4);
    assert_true(carom_expr_next_break(expr, 0.0) == 2.0);
    carom_expr_set_switches(expr, 0.0, measures, switches);
    assert_true(carom_expr_value(expr, 0.0, measures, switches) == 15.0);
    double out[8];
    carom_expr_roots(expr, 0.0, measures, switches, out);
    for (int k = 0; k < roots; k++)
        assert_true(out[k] > 0.0);
    /* the comparison of the time alone has no root function, and a time */
    int timed = 0;
    for (int k = 0; k < count; k++) {
        double leaving[8] = {0.0};
        carom_expr_leaving(expr, 0.0, switches, leaving);
        if (carom_expr_switch_root(expr, k) < 0)
            assert_true(timed++ == 0 && leaving[k] == 2.0);
        else
            assert_true(carom_expr_switch_root(expr, k) < roots && leaving[k] == 0.0);
    }
    assert_int_equal(timed, 1);
    measures[0] = 1.25;
    carom_expr_roots(expr, 0.0, measures, switches, out);
    int left = 0;
    for (int k = 0; k < roots; k++)
        left += out[k] < 0.0;
    assert_int_equal(left, 3);
    carom_expr_set_switches(expr, 0.0, measures, later);
    assert_true(carom_expr_value(expr, 0.0, measures, later) == 3.0);
    /* frozen: the cubic continues */
    assert_true(fabs(carom_expr_value(expr, 0.0, measures, switches) - (10 + 10 * 1.25 * 1.25 * 0.5)) < 1e-14);
}

/* ---- limits, memory ---- */

static void repeat(char *text, const char *part, int times)
{
    for (int k = 0; k < times; k++)
        strcat(text, part);
}

static void test_limits(void **state)
{
    (void)state;
    static char text[20000];
    static const struct {
        const char *open, *middle, *close;
        int good, bad;
    } rows[] = {{"(", "t", ")", 64, 65},       {"sin(", "t", ")", 64, 65},       {"-", "t", "", 64, 65},
                {"2^", "t", "", 64, 65},       {"not ", "t>0", "", 64, 65},      {"t+", "t", "", 2047, 2048},
                {"t^2*", "1", "", 1023, 1024}, {"min(t,", "1", ")", 64, 65},     {"1+2*(", "t", ")", 64, 65},
                {"t or (t>1) ", "", "", 0, 1}, {"mod(t+1,2+", "t", ")", 64, 65}, {"sin(t)+(", "t", ")", 64, 65}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        for (int good = 0; good < 2; good++) {
            int times = good ? rows[k].good : rows[k].bad;
            carom_expr *expr;
            text[0] = '\0';
            repeat(text, rows[k].open, times);
            strcat(text, rows[k].middle);
            repeat(text, rows[k].close, times);
            carom_status status = times ? carom_expr_compile(&arena, &full_scope, text, NULL, &expr) : CAROM_OK;
            if ((status == CAROM_OK) != good)
                fail_msg("%d x '%s': %s", times, rows[k].open, carom_context_error(ctx));
        }
    }
    memset(text, 'x', 200);
    text[200] = '\0';
    carom_expr *expr;
    assert_int_equal(carom_expr_compile(&arena, &full_scope, text, NULL, &expr), CAROM_ERROR_MODEL);
}

typedef struct counting {
    long live, calls, fail_at;
} counting;

static void *count_allocate(void *user, size_t size)
{
    counting *c = user;
    if (++c->calls == c->fail_at)
        return NULL;
    c->live++;
    return malloc(size);
}

static void count_release(void *user, void *block, size_t size)
{
    (void)size;
    ((counting *)user)->live--;
    free(block);
}

static void test_memory(void **state)
{
    (void)state;
    static char text[5000];
    counting counter = {0, 0, 0};
    carom_context_def def = carom_default_context_def();
    def.allocator = (carom_allocator){count_allocate, count_release, &counter};
    carom_context *counted;
    assert_int_equal(carom_context_create(&def, &counted), CAROM_OK);
    const long of_context = counter.live;
    repeat(text, "step(t,0,1,2,3)+mod(t,7)+spline(cam,t)+", 100);
    strcat(text, "angle(pin)");
    int failures = 0;
    for (long n = 1;; n++) {
        carom_arena local;
        carom_expr *expr;
        carom_arena_init(&local, counted);
        counter.calls = 0;
        counter.fail_at = n;
        carom_status status = carom_expr_compile(&local, &full_scope, text, NULL, &expr);
        long calls = counter.calls;
        if (status == CAROM_OK) {
            static int switches[400];
            double measures[3] = {0.0}, out[400];
            carom_expr_set_switches(expr, 0.3, measures, switches);
            carom_expr_roots(expr, 0.3, measures, switches, out);
            assert_true(isfinite(carom_expr_value(expr, 0.3, measures, switches)));
            assert_true(carom_expr_next_break(expr, 0.3) == 0.5);
            assert_int_equal(counter.calls, calls);
        } else {
            assert_int_equal(status, CAROM_ERROR_MEMORY);
            assert_null(expr);
            failures++;
        }
        carom_arena_free(&local);
        assert_int_equal(counter.live, of_context);
        if (status == CAROM_OK)
            break;
    }
    assert_true(failures >= 3);
    counter.fail_at = counter.calls + 1;
    double value;
    assert_int_equal(carom_expr_number(counted, &full_scope, "step(1,0,1,2,3)", NULL, &value), CAROM_ERROR_MEMORY);
    counter.fail_at = 0;
    carom_context_free(counted);
    assert_int_equal(counter.live, 0);
    printf("  %d failing allocations; none while evaluating\n", failures);
}

/* ---- nested choices against C ---- */

typedef struct writer {
    char text[6000];
    size_t at;
    double t;
} writer;

static void put(writer *w, const char *text)
{
    size_t length = strlen(text);
    if (w->at + length < sizeof w->text)
        memcpy(w->text + w->at, text, length + 1);
    w->at += length;
}

static double put_value(writer *w, int depth);

/* Writes name(v1, v2, ...). */
static void put_call(writer *w, const char *name, int depth, int count, double *v)
{
    put(w, name);
    for (int k = 0; k < count; k++) {
        put(w, k ? ", " : "(");
        v[k] = put_value(w, depth - 1);
    }
    put(w, ")");
}

static bool put_condition(writer *w, int depth)
{
    static const char *const signs[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    bool a, b;
    double x, y;
    uint32_t sign = random_bits() % 6;
    switch (depth > 0 ? random_bits() % 5 : 4) {
    case 0:
        put(w, "not (");
        a = put_condition(w, depth - 1);
        put(w, ")");
        return !a;
    case 1:
    case 2:
        put(w, "((");
        a = put_condition(w, depth - 1);
        put(w, sign % 2 ? ") and (" : ") or (");
        b = put_condition(w, depth - 1);
        put(w, "))");
        return sign % 2 ? a && b : a || b;
    default:
        x = put_value(w, depth - 1);
        put(w, signs[sign]);
        y = put_value(w, depth - 1);
        return sign == 0   ? x < y
               : sign == 1 ? x <= y
               : sign == 2 ? x > y
               : sign == 3 ? x >= y
               : sign == 4 ? x == y
                           : x != y;
    }
}

static double put_number(writer *w)
{
    char number[40];
    double x = random_between(-2.0, 3.0);
    snprintf(number, sizeof number, "(%.17g)", x);
    put(w, number);
    return x;
}

/* Writes a random expression and returns its value at w->t. */
static double put_value(writer *w, int depth)
{
    double v[5], x;
    bool condition;
    switch (depth > 0 ? random_bits() % 14 : random_bits() % 2) {
    case 0:
        return put(w, "t"), w->t;
    case 1:
        return put_number(w);
    case 2:
        return put_call(w, "min", depth, 3, v), fmin(v[0], fmin(v[1], v[2]));
    case 3:
        return put_call(w, "max", depth, 4, v), fmax(fmax(v[0], v[1]), fmax(v[2], v[3]));
    case 4:
        return put_call(w, "abs", depth, 1, v), fabs(v[0]);
    case 5:
        return put_call(w, "sign", depth, 1, v), (v[0] > 0) - (v[0] < 0);
    case 6:
        return put_call(w, "floor", depth, 1, v), floor(v[0]);
    case 7:
        return put_call(w, "ceil", depth, 1, v), ceil(v[0]);
    case 8:
        return put_call(w, "hypot", depth, 2, v), hypot(v[0], v[1]);
    case 9:
        return put_call(w, "poly", depth, 5, v), x = v[0] - v[1], (v[4] * x + v[3]) * x + v[2];
    case 10:
        put(w, "if(");
        condition = put_condition(w, depth - 1);
        put(w, ",");
        v[0] = put_value(w, depth - 1);
        put(w, ",");
        v[1] = put_value(w, depth - 1);
        put(w, ")");
        return condition ? v[0] : v[1];
    case 11:
        put(w, "mod(");
        v[0] = put_value(w, depth - 1);
        put(w, ", 1.7)");
        return v[0] - floor(v[0] / 1.7) * 1.7;
    case 12:
        put(w, "step(");
        v[0] = put_value(w, depth - 1);
        put(w, ", -1, ");
        v[1] = put_number(w); /* two equal heights make ties that rounding decides */
        put(w, ", 1, ");
        v[2] = put_value(w, depth - 1);
        put(w, ")");
        x = fmin(1.0, fmax(0.0, 0.5 * (v[0] + 1.0)));
        x = x * x * (3.0 - 2.0 * x);
        return (1.0 - x) * v[1] + x * v[2];
    default:
        put(w, "(");
        v[0] = put_value(w, depth - 1);
        put(w, " - ");
        v[1] = put_value(w, depth - 1);
        put(w, ")");
        return v[0] - v[1];
    }
}

static void test_nested_choices(void **state)
{
    (void)state;
    static writer w;
    int used = 0;
    double worst = 0.0;
    random_state = 77;
    for (int k = 0; k < 60000; k++) {
        static int switches[4096];
        w.at = 0;
        w.t = random_between(-3.0, 3.0);
        double want = put_value(&w, 1 + k % 5);
        if (w.at > 4096)
            continue;
        carom_arena local;
        carom_arena_init(&local, ctx);
        carom_expr *expr;
        if (carom_expr_compile(&local, &full_scope, w.text, NULL, &expr) != CAROM_OK)
            fail_msg("%s: %s", w.text, carom_context_error(ctx));
        carom_expr_set_switches(expr, w.t, NULL, switches);
        double got = carom_expr_value(expr, w.t, NULL, switches), error = fabs(got - want) / largest(1.0, fabs(want));
        if (!(error <= 1e-12))
            fail_msg("%s at %.17g: %.17g, not %.17g", w.text, w.t, got, want);
        worst = largest(worst, error);
        used++;
        carom_arena_free(&local);
    }
    assert_true(used > 40000);
    printf("  %d nested choices, worst error %.1e (limit 1e-12)\n", used, worst);
}

/* ---- fuzz ---- */

static const char *const soup[] = {"t",          "A",
                                   "e",          "mm",
                                   "deg",        "pi",
                                   "min",        "1",
                                   "0",          "2.5",
                                   "1e-4",       ".5",
                                   "3",          "+",
                                   "-",          "*",
                                   "/",          "^",
                                   "(",          ")",
                                   "(",          ")",
                                   ",",          "<",
                                   "<=",         ">",
                                   ">=",         "==",
                                   "!=",         " and ",
                                   " or ",       " not ",
                                   "sin(",       "exp(",
                                   "sqrt(",      "log(",
                                   "abs(",       "sign(",
                                   "min(",       "max(",
                                   "mod(",       "floor(",
                                   "ceil(",      "pow(",
                                   "hypot(",     "atan2(",
                                   "if(",        "step(",
                                   "step5(",     "havsin(",
                                   "poly(",      "spline(cam,",
                                   "angle(pin)", "speed(pin)",
                                   "t",          "t",
                                   "2*t",        "\xC2\xB7",
                                   "$",          "x",
                                   "if(t>1,",    "step(t,0,1,1,2)",
                                   "zero",       "1e308",
                                   "flag",       "."};

/* Sentences of the language: %v a value, %c a condition. */
static const char *const sentences[] = {"t",
                                        "angle(pin)",
                                        "A",
                                        "0.5",
                                        "2*t-1",
                                        "(%v+%v)",
                                        "(%v-%v)",
                                        "%v*%v",
                                        "%v/(%v)",
                                        "-%v",
                                        "(%v)^2",
                                        "(%v)^(%v)",
                                        "sin(%v)",
                                        "exp(%v)",
                                        "log(%v)",
                                        "sqrt(%v)",
                                        "abs(%v)",
                                        "sign(%v)",
                                        "min(%v,%v,%v)",
                                        "max(%v,%v)",
                                        "mod(%v,%v)",
                                        "floor(%v)",
                                        "ceil(%v)",
                                        "if(%c,%v,%v)",
                                        "step(%v,0,%v,1,%v)",
                                        "havsin(%v,-1,%v,td,%v)",
                                        "poly(%v,%v,%v,%v)",
                                        "spline(cam,%v)",
                                        "hypot(%v,%v)",
                                        "atan2(%v,%v)",
                                        "2^(%v)",
                                        "(%c)*%v",
                                        "(%v)^-3",
                                        "1.5^(%v)",
                                        "(%v)^1.5"};
static const char *const conditions[] = {"%v<%v",         "%v>=%v",       "t>1",      "%v==%v", "%v!=%v",
                                         "(%c) and (%c)", "(%c) or (%c)", "not (%c)", "zero>1", "flag"};

static size_t write_sentence(char *text, size_t at, size_t size, int depth, bool condition)
{
    const char *s = condition ? conditions[random_bits() % (depth < 2 ? 3 : CAROM_COUNT(conditions))]
                              : sentences[random_bits() % (depth < 1 ? 5 : CAROM_COUNT(sentences))];
    for (; *s && at + 2 < size; s++) {
        if (*s == '%')
            at = write_sentence(text, at, size, depth - 1, *++s == 'c');
        else
            text[at++] = *s;
    }
    text[at] = '\0';
    return at;
}

/* Compiles the text and runs all that compiles; true if it did. */
static bool exercise(carom_arena *local, const char *text)
{
    static int switches[CAROM_ERROR_TEXT];
    static double roots[CAROM_ERROR_TEXT];
    carom_expr *expr;
    const double measures[3] = {0.5, -1.0, 2.0};
    if (carom_expr_compile(local, &full_scope, text, NULL, &expr) != CAROM_OK) {
        assert_true(carom_context_error(ctx)[0] != '\0');
        return false;
    }
    assert_true(carom_expr_switch_count(expr) <= CAROM_ERROR_TEXT);
    if (carom_expr_is_constant(expr) && !isfinite(carom_expr_value(expr, 0.0, NULL, NULL)))
        fail_msg("%s is not finite", text);
    for (double t = -1.0; t < 3.0; t += 1.3) {
        carom_expr_set_switches(expr, t, measures, switches);
        carom_expr_roots(expr, t, measures, switches, roots);
        for (int k = 0; k < carom_expr_root_count(expr); k++)
            assert_true(isfinite(roots[k]));
        double value = carom_expr_value(expr, t, measures, switches), next = carom_expr_next_break(expr, t);
        assert_true(next > t);
        carom_jet jet = carom_expr_jet(expr, t, switches);
        if (!carom_expr_uses_measures(expr) && jet.value != value && !(isnan(value) && isnan(jet.value)))
            fail_msg("%s at %g: value %.17g, jet %.17g", text, t, value, jet.value);
    }
    return true;
}

static void test_fuzz(void **state)
{
    (void)state;
    const char *given = getenv("CAROM_FUZZ");
    long inputs = given ? atol(given) : 150000, good = 0;
    char text[2048];
    random_state = 2024;
    for (long k = 0; k < inputs; k++) {
        size_t length = 0;
        if (k % 3 == 0) {
            length = write_sentence(text, 0, sizeof text, 1 + (int)(k % 4), false);
        } else if (k % 8 == 0) {
            length = random_bits() % 60;
            for (size_t j = 0; j < length; j++)
                text[j] = (char)(1 + random_bits() % 255);
        } else {
            for (uint32_t left = 1 + random_bits() % 14; left > 0; left--) {
                const char *word = soup[random_bits() % CAROM_COUNT(soup)];
                memcpy(text + length, word, strlen(word));
                length += strlen(word);
            }
            /* close what is open, so that more of them compile */
            int open = 0;
            for (size_t j = 0; j < length; j++)
                open += (text[j] == '(') - (text[j] == ')');
            for (; open > 0 && k % 4 != 0; open--)
                text[length++] = ')';
        }
        text[length] = '\0';
        carom_arena local;
        carom_arena_init(&local, ctx);
        good += exercise(&local, text);
        carom_arena_free(&local);
    }
    assert_true(good > inputs / 5);
    printf("  %ld inputs, %ld of them expressions (at least a fifth)\n", inputs, good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_numbers),
        TEST(test_folding_has_the_bits_of_running),
        TEST(test_errors_name_the_place),
        TEST(test_errors_of_constant_fields),
        TEST(test_words),
        TEST(test_measures),
        TEST(test_nested_choices),
        TEST(test_limits),
        TEST(test_memory),
        TEST(test_fuzz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
