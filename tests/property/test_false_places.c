/* Places of faces and lines that go on beyond their solids: while two solids are apart none of them bears or has begun,
   the force is continuous where solids pass each other, and free solids that collide meet where they touch. Distances
   are those of the least gap, which other tests check, and of a segment from a box, found here. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "geometry/surface/patch/patch.h"
#include "support/runs.h"
#include "support/sample.h"
#include "support/solids.h"

#ifdef __SANITIZE_ADDRESS__
#define TRIALS 60
#define WAYS 4
#else
#define TRIALS 500
#define WAYS 15
#endif

static uint64_t seed = 41;

static double chance(double low, double high) { return solid_uniform(&seed, low, high); }

static carom_vec3 chance_vector(double size) { return solid_vector(&seed, size); }

static const double can[3] = {0.08, 0.1, 0}, soft[3] = {0.08, 0.1, 0.02}, rod[3] = {0.02, 0.15, 0};
static const double coin[3] = {0.05, 0.004, 0.001}, pill[2] = {0.05, 0.1}, brick[4] = {0.1, 0.08, 0.06, 0};
static const double worn[4] = {0.1, 0.08, 0.06, 0.01}, cone[4] = {0.1, 0.03, 0.1, 0};
static const carom_surface solids[] = {{&carom_surface_cylinder, can, false},  {&carom_surface_cylinder, soft, false},
                                       {&carom_surface_cylinder, rod, false},  {&carom_surface_cylinder, coin, false},
                                       {&carom_surface_capsule, pill, false},  {&carom_surface_box, brick, false},
                                       {&carom_surface_box, worn, false},      {&carom_surface_cone, cone, false}};

/* The second as it lies to the first, whose pose is that of the world. */
typedef struct couple {
    const carom_surface *i, *j;
    carom_vec3 origin, turn, tilt;
} couple;

static carom_shape_pose first_pose(const couple *c)
{
    return (carom_shape_pose){.p = c->i->p, .axes = carom_m3_identity()};
}

static carom_shape_pose second_pose(const couple *c)
{
    const carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(c->turn));
    const carom_mat3 tilt = carom_quat_matrix(carom_quat_from_rotation(c->tilt));
    return (carom_shape_pose){.p = c->j->p, .origin = c->origin, .axes = carom_m3_multiply(&tilt, &turn)};
}

static double place_at(const couple *c, int which, carom_surface_contact *out)
{
    const carom_shape_pose i = first_pose(c), j = second_pose(c);
    double share;
    carom_surface_patch(c->i, &i, c->j, &j, which, out, &share);
    return share;
}

static double least_gap(const couple *c)
{
    const carom_shape_pose i = first_pose(c), j = second_pose(c);
    carom_surface_contact out;
    carom_surface_pair(c->i, &i, c->j, &j, NULL, &out);
    return out.gap;
}

/* Turned by chance, or by eighths of a turn and a little besides, so that faces and lines lie along each other. */
static void turn_by_chance(couple *c, bool along)
{
    static const carom_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    c->turn = along ? carom_v3_scale(floor(chance(0, 8)) * CAROM_PI / 4, axis[(int)chance(0, 3)]) : chance_vector(3);
    c->tilt = along ? chance_vector(pow(10, chance(-3, -0.3))) : carom_v3(0, 0, 0);
}

/* Moves the second along a direction to where the gap is `gap` within a thousandth. */
static void part(couple *c, carom_vec3 way, double gap)
{
    double low = 0, high = 0.8, got = HUGE_VAL;
    for (int k = 0; k < 50 && fabs(got - gap) > 1e-3 * fabs(gap); k++) {
        c->origin = carom_v3_scale(0.5 * (low + high), way);
        got = least_gap(c);
        *(got > gap ? &high : &low) = 0.5 * (low + high);
    }
}

/* No place bears in touch while the solids are apart; the least gap itself may be that of the faces, which is less. */
static void test_apart(void **state)
{
    (void)state;
    size_t places = 0, wrong = 0, begun = 0;
    for (size_t first = 0; first < (size_t)CAROM_COUNT(solids); first++)
        for (size_t second = first; second < (size_t)CAROM_COUNT(solids); second++)
            for (int trial = 0; trial < TRIALS; trial++) {
                couple c = {.i = &solids[first], .j = &solids[second]};
                const int count = carom_surface_patch_count(c.i, c.j);
                if (count == 0)
                    break;
                turn_by_chance(&c, trial % 3 > 0);
                part(&c, carom_unit(chance_vector(1)), pow(10, chance(-4, -1)));
                for (int which = 0; which < count; which++) {
                    carom_surface_contact at;
                    const double share = place_at(&c, which, &at);
                    places += share > 0;
                    wrong += share > 0 && at.gap < 0;
                    begun += which > 0 && at.gap < 0;
                }
            }
    print_message("%zu places that bear, %zu deep in solids that are apart, %zu such places in all\n", places, wrong,
                  begun);
    assert_true(places > 20 * TRIALS);
    assert_int_equal(wrong, 0);
    assert_int_equal(begun, 0);
}

/* ---- forces ---- */

/* Force and moment about the origin of the second over a length of 0.1 m, of a law with the power 3/2. */
static void load_at(const couple *c, double *out)
{
    carom_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    const int count = carom_surface_patch_count(c->i, c->j);
    for (int which = 0; which < count; which++) {
        carom_surface_contact at;
        const double share = place_at(c, which, &at), size = share > 0 && at.gap < 0 ? share * pow(-at.gap, 1.5) : 0;
        const carom_vec3 f = carom_v3_scale(size, at.normal);
        force = carom_v3_add(force, f);
        moment = carom_v3_add(moment, carom_v3_cross(at.from_j, f));
    }
    const double all[6] = {force.x, force.y, force.z, moment.x / 0.1, moment.y / 0.1, moment.z / 0.1};
    memcpy(out, all, sizeof all);
}

/* A way: x from 0 to 1. */
static void load_on_way(const couple *from, carom_vec3 slide, carom_vec3 spin, double x, double *load)
{
    couple c = *from;
    c.origin = carom_v3_add_scaled(c.origin, x - 0.5, slide);
    c.tilt = carom_v3_add_scaled(c.tilt, x - 0.5, spin);
    load_at(&c, load);
}

static double change_of(const double *a, const double *b)
{
    double most = 0;
    for (int n = 0; n < 6; n++)
        most = fmax(most, fabs(a[n] - b[n]));
    return most;
}

#define PARTS 400

/* The step of a way in which the load changes most, halved ten times, over the largest load. */
static double largest_jump(const couple *c, carom_vec3 slide, carom_vec3 spin)
{
    double low[6], middle[6], high[6], most = -1, largest = 0, from = 0, width = 1.0 / PARTS;
    load_on_way(c, slide, spin, 0, low);
    for (int k = 1; k <= PARTS; k++, memcpy(low, high, sizeof low)) {
        load_on_way(c, slide, spin, k * width, high);
        for (int n = 0; n < 6; n++)
            largest = fmax(largest, fabs(high[n]));
        if (change_of(low, high) > most) {
            most = change_of(low, high);
            from = (k - 1) * width;
        }
    }
    load_on_way(c, slide, spin, from, low);
    load_on_way(c, slide, spin, from + width, high);
    for (int k = 0; k < 10; k++) {
        width *= 0.5;
        load_on_way(c, slide, spin, from + width, middle);
        const bool upper = change_of(middle, high) > change_of(low, middle);
        from += upper ? width : 0;
        memcpy(upper ? low : high, middle, sizeof middle);
    }
    return largest > 0 ? change_of(low, high) / largest : 0;
}

/* Where the shortest way out of each other passes to another side its direction jumps, with the force: few of the ways
   go there. */
static void test_continuous(void **state)
{
    (void)state;
    int ways = 0, jumps = 0;
    for (size_t first = 0; first < (size_t)CAROM_COUNT(solids); first++)
        for (size_t second = first; second < (size_t)CAROM_COUNT(solids); second++)
            for (int way = 0; way < WAYS; way++) {
                couple c = {.i = &solids[first], .j = &solids[second]};
                if (carom_surface_patch_count(c.i, c.j) == 0)
                    break;
                turn_by_chance(&c, way % 3 > 0);
                part(&c, carom_unit(chance_vector(1)), -pow(10, chance(-4, -3.3)));
                const carom_vec3 slide = chance_vector(0.004), spin = chance_vector(0.05);
                ways++;
                jumps += largest_jump(&c, slide, spin) > 0.02;
            }
    print_message("%d ways, %d jumps\n", ways, jumps);
    assert_true(jumps <= ways / 100);
}

/* ---- runs ---- */

static const char *const header = "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n";

/* A capsule beside a box, 26 mm from it, at rest, and the two as they fly past and then into each other. */
static const char *const beside =
    "  a: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [-0.099433, -0.038442, 0.023761],\n"
    "      orientation: [0.394376, 0.628197, -0.660361, 0.117304]}\n"
    "  b: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.080871, -0.054926, 0.015457],\n"
    "      orientation: [0.024427, -0.511673, -0.389358, -0.765502]}\n";
static const char *const flying =
    "  a: {mass: 1.7234318244202806, inertia: [0.009537, 0.007582, 0.009459],\n"
    "      at: [-0.196550902253323, -0.037020669141587352, 0.036502727519207481],\n"
    "      orientation: [0.56612525779722944, 0.66600292475257239, -0.4450562540457193, 0.19459503446859058],\n"
    "      velocity: [1.3491419349636899, -0.019747872444776826, -0.17700150323337688],\n"
    "      angular_velocity: [4.6678078740953985, -4.2717463262202138, -4.9696271191777805]}\n"
    "  b: {mass: 0.9004178964814755, inertia: [0.004507, 0.003651, 0.003745],\n"
    "      at: [0.21015838961232791, -0.039156043446400016, 0.030030687098369965],\n"
    "      orientation: [0.10732772779533202, -0.48915772365734267, -0.39299202423973889, -0.77120862878770391],\n"
    "      velocity: [-1.7960361508976321, -0.21907784765625249, -0.20245791301362548],\n"
    "      angular_velocity: [-1.1833658075112305, -0.3534330669285719, -2.0518112811559366]}\n";
static const char *const pill_and_brick =
    "shapes:\n"
    "  sa: {type: capsule, from: [-0.1, 0, 0.02], to: [0.1, 0.03, 0], radius: 0.05, on: a,\n"
    "       at: [-0.00058307482803875155, 0.013487659892168057, 0.006336082537604773],\n"
    "       orientation: [0.023087209888541831, -0.78666224431337162, -0.2807726789528126, -0.5493598063792734]}\n"
    "  sb: {type: box, size: [0.2, 0.16, 0.12], on: b,\n"
    "       at: [-0.019583990489645355, 0.0022968669138526861, 0.018676550388878558],\n"
    "       orientation: [-0.50402414952850949, 0.56124166277232634, -0.48507929393685573, 0.44234096718972188]}\n"
    "contacts:\n  c: {between: [sa, sb], normal: {law: exact, stiffness: 1e7, restitution: 0.6}}\n"
    "run: {until: 0.145}\n";

/* Place of a point of a shape in the world, and back. */
typedef struct placed {
    carom_mat3 body, shape;
    carom_vec3 at, offset;
} placed;

static carom_quat unit_quat(const double *q)
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (carom_quat){q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

static placed place_of(const carom_body_state *b, const double *offset, const double *turn)
{
    return (placed){.body = carom_quat_matrix(unit_quat(b->orientation)),
                    .shape = carom_quat_matrix(unit_quat(turn)),
                    .at = carom_v3_load(b->position),
                    .offset = carom_v3_load(offset)};
}

static double to_brick(carom_vec3 x)
{
    const carom_vec3 off = {fmax(fabs(x.x) - 0.1, 0), fmax(fabs(x.y) - 0.08, 0), fmax(fabs(x.z) - 0.06, 0)};
    return carom_v3_norm(off);
}

/* The distance of the capsule from the box, by thirds of the segment: that of a point from the box is convex. */
static double segment_to_brick(const carom_body_state *a, const carom_body_state *b)
{
    static const double from_a[3] = {-0.00058307482803875155, 0.013487659892168057, 0.006336082537604773};
    static const double turn_a[4] = {0.023087209888541831, -0.78666224431337162, -0.2807726789528126,
                                     -0.5493598063792734};
    static const double from_b[3] = {-0.019583990489645355, 0.0022968669138526861, 0.018676550388878558};
    static const double turn_b[4] = {-0.50402414952850949, 0.56124166277232634, -0.48507929393685573,
                                     0.44234096718972188};
    const placed i = place_of(a, from_a, turn_a), j = place_of(b, from_b, turn_b);
    carom_vec3 end[2] = {{-0.1, 0, 0.02}, {0.1, 0.03, 0}};
    for (int k = 0; k < 2; k++) {
        const carom_vec3 x = carom_v3_add(i.offset, carom_m3_apply(&i.shape, end[k]));
        const carom_vec3 world = carom_v3_add(i.at, carom_m3_apply(&i.body, x));
        const carom_vec3 own = carom_m3_apply_t(&j.body, carom_v3_sub(world, j.at));
        end[k] = carom_m3_apply_t(&j.shape, carom_v3_sub(own, j.offset));
    }
    double low = 0, high = 1;
    for (int k = 0; k < 100; k++) {
        const double s = low + (high - low) / 3, t = high - (high - low) / 3;
        const carom_vec3 along = carom_v3_sub(end[1], end[0]);
        const bool first = to_brick(carom_v3_add_scaled(end[0], s, along)) <=
                           to_brick(carom_v3_add_scaled(end[0], t, along));
        *(first ? &high : &low) = first ? t : s;
    }
    return to_brick(carom_v3_add_scaled(end[0], 0.5 * (low + high), carom_v3_sub(end[1], end[0]))) - 0.05;
}

static void test_beside(void **state)
{
    (void)state;
    char text[4096];
    free_run run;
    size_t count;
    snprintf(text, sizeof text, "%s%s%s", header, beside, pill_and_brick);
    free_run_parse(&run, text, 1e-9, NULL);
    free_run_to(&run, 1e-3);
    const carom_body_state resting = free_run_body(&run, "a"), other = free_run_body(&run, "b");
    assert_true(segment_to_brick(&resting, &other) > 0.02);
    carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 0);
    free_run_close(&run);

    /* the first blow begins where the distance is zero */
    snprintf(text, sizeof text, "%s%s%s", header, flying, pill_and_brick);
    free_run_parse(&run, text, 1e-9, NULL);
    free_run_to(&run, 0.145);
    const carom_impact first = carom_simulation_impacts(run.sim, &count)[0];
    assert_int_equal(count, 3);
    assert_false(free_run_is_told(&run, "[W02]"));
    free_run_close(&run);
    free_run_parse(&run, text, 1e-9, NULL);
    free_run_to(&run, first.onset);
    const carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
    free_run_close(&run);
    margin m;
    margin_begin(&m, "a capsule that flies past a box");
    margin_add(&m, "distance at the onset", 0, segment_to_brick(&a, &b), 0, 1e-9);
    margin_end(&m);
}

/* A free body with a shape of one of these kinds. */
static int add_body(char *to, size_t room, char name, int side)
{
    const double mass = chance(0.5, 2);
    const carom_vec3 at = chance_vector(0.06), v = chance_vector(0.3), w = chance_vector(5), turn = chance_vector(1);
    return snprintf(to, room,
                    "  %c: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], at: [%.17g, %.17g, %.17g], "
                    "orientation: {axis: [%.17g, %.17g, %.17g], angle: %.17g}, velocity: [%.17g, %.17g, %.17g], "
                    "angular_velocity: [%.17g, %.17g, %.17g]}\n",
                    name, mass, mass * 0.004, mass * 0.005, mass * 0.006, side * 0.2 + 0.3 * at.x, at.y, at.z, turn.x,
                    turn.y, turn.z, 3 * at.x / 0.06, -side * (1.25 + 2.5 * v.x), v.y, v.z, w.x, w.y, w.z);
}

/* A line of a cylinder along an edge of a box touches in a long step, and hands over to other places, which are deep at
   once, before its end: the blow begins where the line touches. */
static const char *const handing_over =
    "  a: {mass: 1.453024437055058,\n"
    "      inertia: [0.0058120977482202319, 0.0072651221852752905, 0.0087181466223303482],\n"
    "      at: [-0.20364374228070597, 0.014637577966523485, 0.026284764345649039],\n"
    "      orientation: [0.95425291722464145, -0.0097664474658423917, -0.25570138915153384, -0.15466992615933617],\n"
    "      velocity: [1.0413578064605278, 0.23751479893307642, -0.091579816468699338],\n"
    "      angular_velocity: [0.26077841613022823, 1.7326013824563642, -3.6941126238595814]}\n"
    "  b: {mass: 1.7686401418998461,\n"
    "      inertia: [0.0070745605675993847, 0.0088432007094992309, 0.010611840851399077],\n"
    "      at: [0.21641261244507468, -0.015546025285383819, 0.031088904611427451],\n"
    "      orientation: [0.20168564008957254, 0.82074591673767772, 0.068266890632251206, -0.5301308087477018],\n"
    "      velocity: [-1.0952658731138842, 0.11301748059623801, -0.12006774061050507],\n"
    "      angular_velocity: [2.4764200704718951, 2.9669263633802654, 0.12969170411453756]}\n";

static void test_handing_over(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-7, 1e-8, 1e-10};
    margin m;
    margin_begin(&m, "a line that hands over");
    for (size_t k = 0; k < (size_t)CAROM_COUNT(tolerances); k++) {
        char text[4096];
        size_t count;
        free_run run;
        snprintf(text, sizeof text,
                 "%s%sshapes:\n  sa: {type: cylinder, radius: 0.08, length: 0.2, on: a}\n"
                 "  sb: {type: box, size: [0.2, 0.16, 0.12], on: b}\ncontacts:\n"
                 "  c: {between: [sb, sa], normal: {law: exact, stiffness: 1e9, restitution: 0.6}}\n"
                 "run: {until: 0.3}\n", header, handing_over);
        free_run_parse(&run, text, tolerances[k], NULL);
        free_run_to(&run, 0.3);
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        /* the places of the last blow may be two or three */
        margin_add(&m, "blows", k, (double)count, 7, 1.5);
        for (size_t n = 0; n < count; n++)
            margin_add(&m, "depth [mm]", k, 1e3 * impacts[n].max_indentation, 0, 0.3);
        margin_add(&m, "energy", k, carom_simulation_ledger(run.sim).kinetic, 1.2381, 1e-4);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* The end of a line between a capsule and a cylinder touches and is no longer there a moment later, while it comes
   nearer: it ends then. Its law, which goes on beyond the surface for the integrator, pulled with 2 kN from 1 mm away,
   and 1.52 J became 2.16 J. */
static const char *const vanishing =
    "  a: {mass: 0.675447913465, inertia: [0.00270179165386, 0.00337723956733, 0.00405268748079],\n"
    "      at: [-0.21292569267, -0.00458496998867, -0.0418923572287],\n"
    "      orientation: {axis: [-0.292749491255, 0.729565853676, 0.91302515947], angle: -2.15428211171},\n"
    "      velocity: [1.13351320393, -0.182911632345, 0.0369310628815],\n"
    "      angular_velocity: [1.09537888131, -0.146248924101, 3.38161860645]}\n"
    "  b: {mass: 1.99491367526, inertia: [0.00797965470103, 0.00997456837628, 0.0119694820515],\n"
    "      at: [0.200555122587, -0.0456632131129, -0.0172689883829],\n"
    "      orientation: {axis: [-0.808436457408, 0.945456458023, 0.143247062302], angle: 0.0925204311216},\n"
    "      velocity: [-0.983590972154, -0.109168313216, 0.095515754939],\n"
    "      angular_velocity: [0.415910202568, 3.52145371266, -0.86160298772]}\n";

static void test_vanishing(void **state)
{
    (void)state;
    char text[4096];
    free_run run;
    snprintf(text, sizeof text,
             "%s%sshapes:\n  sa: {type: cylinder, radius: 0.08, length: 0.2, on: a}\n"
             "  sb: {type: capsule, from: [-0.1, 0, 0.02], to: [0.1, 0.03, 0], radius: 0.05, on: b}\ncontacts:\n"
             "  c: {between: [sb, sa], normal: {law: exact, stiffness: 1e9, restitution: 0.6}}\nrun: {until: 0.3}\n",
             header, vanishing);
    free_run_parse(&run, text, 1e-8, NULL);
    const double before = carom_simulation_ledger(run.sim).kinetic;
    free_run_to(&run, 0.3);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    print_message("an end that is gone: from %.6g J to %.6g J, residual %.1e\n", before, ledger.kinetic,
                  ledger.residual_fraction);
    assert_true(ledger.kinetic < before && ledger.residual_fraction < 1e-5);
    free_run_close(&run);
}

#define COLLISIONS 300

/* Free solids collide without friction: no place begins deep in the other solid, the ledger is closed, and no energy
   comes of it. */
static void test_collisions(void **state)
{
    (void)state;
    static const char *const kinds[] = {"capsule, from: [-0.1, 0, 0.02], to: [0.1, 0.03, 0], radius: 0.05",
                                        "cylinder, radius: 0.08, length: 0.2", "box, size: [0.2, 0.16, 0.12]"};
    margin m;
    margin_begin(&m, "solids that collide");
    for (int k = 0; k < COLLISIONS; k++) {
        char text[4096];
        int used = snprintf(text, sizeof text, "%s", header);
        const int first = k % 2, second = (k / 2) % 3;
        used += add_body(text + used, sizeof text - (size_t)used, 'a', -1);
        used += add_body(text + used, sizeof text - (size_t)used, 'b', 1);
        snprintf(text + used, sizeof text - (size_t)used,
                 "shapes:\n  sa: {type: %s, on: a}\n  sb: {type: %s, on: b}\ncontacts:\n"
                 "  c: {between: [%s], normal: {law: exact, stiffness: %s, restitution: 0.6}}\nrun: {until: 0.3}\n",
                 kinds[first], kinds[second], k % 4 < 2 ? "sa, sb" : "sb, sa", k % 3 ? "1e9" : "1e7");
        if (!sample_turn(k, 6, 60))
            continue;
        free_run run;
        free_run_parse(&run, text, 1e-8, NULL);
        const double before = carom_simulation_ledger(run.sim).kinetic;
        free_run_to(&run, 0.3);
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        if (free_run_is_told(&run, "its gap jumps there"))
            fail_msg("collision %d: a place begins deep in the other solid\n%s", k, text);
        margin_add(&m, "gained", (size_t)k, fmax(ledger.kinetic / before - 1, 0), 0, 1e-9);
        margin_add(&m, "ledger", (size_t)k, ledger.residual_fraction, 0, 1e-5);
        free_run_close(&run);
    }
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_apart), cmocka_unit_test(test_continuous),
                                       cmocka_unit_test(test_beside), cmocka_unit_test(test_handing_over),
                                       cmocka_unit_test(test_vanishing), cmocka_unit_test(test_collisions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
