/* Surfaces of solids in space and the geometry of their contact: a sphere, a plane or another surface against a
   surface. Pure functions on parameter arrays, from which shapes and pairs are made.

   A surface is a kind, its parameters and the side of the material. It is charted by (u, v) over all its points and, on
   sharp edges and corners, over all their normals: v runs on while the normal turns on an edge. Curvatures are positive
   where the material is convex; on sharp edges they are HUGE_VAL. A hollow surface has its material outside: normal and
   curvatures change sign.

   Gap g > 0 separated, indentation -g; the normal n points out of the material of i, towards j. At a solution the
   points x_i, x_j and outward normals n_i, n_j satisfy the common-normal equations (Machado et al. 2012, (12), (13))
       d x n_i = 0,  n_j x n_i = 0,  d = x_j - x_i,  g = d . n_i,  n_j = -n_i.
   Of several solutions the gap is the least one; for two convex solids it is the largest separation along a
   direction, g = max over n of min (x_j - x_i) . n, which is the distance where they are apart and minus the
   shortest way out where they overlap. */
#ifndef CAROM_SURFACE_H
#define CAROM_SURFACE_H

#include "expr/expr.h"
#include "geometry/geometry.h"

/* A point of a surface, in its axes. */
typedef struct carom_surface_point {
    double u, v;
    carom_vec3 position, normal;        /* [m]; unit, out of the material */
    carom_vec3 du, dv;                  /* derivatives of the position [m], [m] or [-] as v */
    carom_vec3 direction[2];            /* principal directions, unit, orthogonal */
    double curvature[2];                /* [1/m]; HUGE_VAL across a sharp edge */
} carom_surface_point;

/* A family of surfaces; all functions take the material to be inside. */
typedef struct carom_surface_kind {
    const char *name;
    const char *params;                 /* names of the parameters in order, separated by blanks */
    int param_count;                    /* 0: the parameters tell */
    /* NULL, or the sentence of the refusal. */
    const char *(*check)(const double *p);
    bool (*convex)(const double *p);
    double (*bounding_radius)(const double *p);         /* about the origin [m] */
    double (*scale)(const double *p);                   /* length that weighs a turn of the normal against a way [m] */
    void (*range)(const double *p, double *low, double *high);          /* of v; u is an angle from -pi to pi */
    void (*at)(const double *p, double u, double v, carom_surface_point *out);
    /* Parameters of the point whose position and normal are near x and n. */
    void (*locate)(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v);
    /* Point farthest along n (any length > 0). */
    carom_vec3 (*support)(const double *p, carom_vec3 n);
    /* Points that bear a flat side along n (unit): corners; of each end the deepest point, then of its flat face the
       opposite point of the rim and points of the material; NULL: the support alone. `bearing_edge`: radius of the
       edges where such points lie. */
    carom_vec3 (*bearing)(const double *p, int k, carom_vec3 n);
    int (*bearing_count)(const double *p);
    double (*bearing_edge)(const double *p);
    /* Parameters of the point nearest to x, in closed form; NULL: found from the support function. */
    void (*nearest)(const double *p, carom_vec3 x, double *u, double *v);
    /* The same point itself, with its parameters only if asked for; NULL: by `nearest` and `at`. */
    void (*nearest_point)(const double *p, carom_vec3 x, bool chart, carom_surface_point *out);
    /* The point nearest to x itself, without its chart, and the signed distance; NULL: by `nearest` and `at`. */
    double (*foot)(const double *p, carom_vec3 x, carom_surface_point *out);
} carom_surface_kind;

typedef struct carom_surface {
    const carom_surface_kind *kind;
    const double *p;
    bool hollow;                        /* the material is outside */
} carom_surface;

/* ---- families: parameters ---- */

extern const carom_surface_kind carom_surface_ellipsoid;        /* a b c */
extern const carom_surface_kind carom_surface_superellipsoid;   /* a b c e1 e2 */
extern const carom_surface_kind carom_surface_torus;            /* radius of the circle, of the tube; axis z */
extern const carom_surface_kind carom_surface_cylinder;         /* radius, half length, rim radius; axis z */
extern const carom_surface_kind carom_surface_cone;             /* radius at -z, at +z, half length, rim radius */
extern const carom_surface_kind carom_surface_capsule;          /* radius, half length of the axis; axis z */
extern const carom_surface_kind carom_surface_tube;             /* bore, outer radius, half length, rim radius */
extern const carom_surface_kind carom_surface_box;              /* half sizes x y z, edge radius */
/* Body of revolution about z with flat ends: z0, z1, number n of coefficients, c_0 ... c_(n-1);
   r(z) = sum of c_k s^k, s = (2 z - z0 - z1)/(z1 - z0). */
extern const carom_surface_kind carom_surface_polynomial;
/* The same with a natural cubic spline: number n of knots, n times z, n times r, n times r'' (carom_spline_fit). */
extern const carom_surface_kind carom_surface_spline;

/* Convex hull of points, made by carom_polyhedron_make() (hull.h). */
extern const carom_surface_kind carom_surface_polyhedron;

/* By name; NULL if there is none. */
const carom_surface_kind *carom_surface_find(const char *name);
const carom_surface_kind *carom_surface_kind_at(size_t index);  /* NULL after the last */

/* ---- one surface, in its own axes ---- */

/* Position, normal, derivatives, principal curvatures; normal and curvatures with the side of the material. */
void carom_surface_at(const carom_surface *surface, double u, double v, carom_surface_point *out);
/* A point of a solid as one of a hollow: normal and curvatures change their signs. */
void carom_surface_turn_out(carom_surface_point *point);
/* Signed distance of x, negative in the material, and its foot. */
double carom_surface_distance(const carom_surface *surface, carom_vec3 x, carom_surface_point *foot);
/* The same from a start (u, v); exact where that lies in the basin of the foot, else as above. */
double carom_surface_distance_near(const carom_surface *surface, carom_vec3 x, double u, double v,
                                   carom_surface_point *foot);

/* ---- contact; world axes, points from the origins of the shapes ---- */

typedef struct carom_surface_contact {
    double gap;                         /* [m] */
    carom_vec3 normal;                  /* unit, from i to j */
    carom_vec3 from_i, from_j;          /* the point on i from the origin of i, that on j from the origin of j [m] */
    double hint[4];                     /* u_i, v_i, u_j, v_j: start of the next search; of planes and spheres 0 */
    double curvature_i[2], curvature_j[2];              /* principal curvatures [1/m] */
    carom_vec3 direction_i[2], direction_j[2];          /* their directions */
    double residual;                    /* the larger one of |d x n_i| over the smaller body's size and |n_i x n_j| */
    int iterations, evaluations;        /* steps of Newton's method; evaluations of both surfaces */
    bool converged;
} carom_surface_contact;

/* Sphere of the given radius about the origin of the pose `ball`, as j, against a surface as i. */
void carom_surface_sphere(const carom_surface *i, const carom_shape_pose *pose, double radius,
                          const carom_shape_pose *ball, const double *hint, carom_surface_contact *out);

/* Plane through the origin of its pose with the world normal `up` out of its material, as j, against a solid as i.
   Candidates: 1; of a box its 8 corners, of cylinders, cones, capsules and tubes the lowest points of the 2 ends, so
   that faces and lines are borne where they end, and CAROM_END_POINTS of each flat end, of a torus the lowest point and
   as many of its circle (meridian.c). */
#define CAROM_END_POINTS 4
int carom_surface_plane_count(const carom_surface *i);
void carom_surface_plane(const carom_surface *i, const carom_shape_pose *pose, carom_vec3 up,
                         const carom_shape_pose *plane, int candidate, carom_surface_contact *out);
/* The deepest point alone, by the support function. */
void carom_surface_plane_deepest(const carom_surface *i, const carom_shape_pose *pose, carom_vec3 up,
                                 const carom_shape_pose *plane, carom_surface_contact *out);

/* Cylinder or capsule as j in a tube as i, a place at each of its ends: where that lies between the mouths the end
   against the wall of the bore, else the edge of the mouth against the pin. Gaps are distances at any tilt. */
void carom_surface_pin(const carom_surface *tube, const carom_shape_pose *pose, const carom_surface *pin,
                       const carom_shape_pose *pin_pose, int end, carom_surface_contact *out);

/* Two boxes: corners and crossing edges of the patch on which their faces lie over each other, and at last the place
   where the gap is least; `share`: how much of a law acts there. `memory`: room of so many bytes, of zeros at first,
   for what all places have in common, which is found anew for other boxes and poses alone; NULL: none. */
#define CAROM_BOXES_LEAST 32
#define CAROM_BOXES_PLACES 33
#define CAROM_BOXES_MEMORY 2048
void carom_surface_boxes(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                         const carom_shape_pose *pose_j, int which, void *memory, carom_surface_contact *out,
                         double *share);
/* Rate of the normal there [1/s], from velocity and spin of the poses. */
carom_vec3 carom_surface_boxes_normal_rate(const carom_surface *i, const carom_shape_pose *pose_i,
                                           const carom_surface *j, const carom_shape_pose *pose_j, int which);

/* NULL, or why two surfaces cannot be a pair. */
const char *carom_surface_pair_check(const carom_surface *i, const carom_surface *j);
/* Surface against surface. With `hint` (NULL: none; may be that in `out`) by Newton's method from there, and by the
   global search where that does not arrive at a least gap. */
void carom_surface_pair(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                        const carom_shape_pose *pose_j, const double *hint, carom_surface_contact *out);

/* A contact of i and j as one of j and i. */
void carom_surface_turn_round(carom_surface_contact *contact);

/* Rate of the normal [1/s] from velocity and spin of the poses, at a contact of the same poses. */
carom_vec3 carom_surface_normal_rate(const carom_surface_contact *contact, const carom_shape_pose *pose_i,
                                     const carom_shape_pose *pose_j);

/* Principal relative curvatures at a contact, low <= high [1/m] (the A and B of Hertz are their halves), and the
   direction of the low one, along which the contact ellipse is long. */
void carom_surface_relative_curvature(const carom_surface_contact *contact, double *low, double *high,
                                      carom_vec3 *along);

/* ---- shared by the files of the surfaces ---- */

/* Moves of the point and of its normal along a principal direction over one parameter: dx = way, dn = turn. */
typedef struct carom_surface_moves {
    double way[2], turn[2];
} carom_surface_moves;

void carom_surface_moves_of(const double *curvature, double scale, carom_surface_moves *out);

/* Axes of j in those of i and its origin from that of i, in the axes of i. */
typedef struct carom_surface_placed {
    carom_mat3 axes;
    carom_vec3 origin;
} carom_surface_placed;

carom_surface_placed carom_surface_place(const carom_shape_pose *i, const carom_shape_pose *j);
carom_surface_point carom_surface_moved(const carom_surface_placed *placed, const carom_surface_point *point);

/* Largest separation of two convex solids along a direction, by a polytope within their Minkowski difference that grows
   towards the origin. The origin of `j` is `placed`; j NULL: the point there. */
typedef struct carom_gjk carom_gjk;

#define CAROM_HULL_VERTICES 128
#define CAROM_HULL_FACES 512

struct carom_gjk {
    const carom_surface *i, *j;
    carom_surface_placed placed;
    double size;
    int vertices, faces, evaluations;
    struct {
        carom_vec3 w, x_i, x_j;
    } vertex[CAROM_HULL_VERTICES];
    struct {
        int corner[3];
        carom_vec3 normal;
        double offset;
    } face[CAROM_HULL_FACES];
};

/* Best direction of the polytope: unit normal n, points of both bodies, `bound` >= the true separation. */
typedef struct carom_surface_guess {
    carom_vec3 normal, x_i, x_j;
    double bound;
    bool known;
} carom_surface_guess;

void carom_gjk_start(carom_gjk *hull, const carom_surface *i, const carom_surface *j,
                              const carom_surface_placed *placed);
/* A direction about which nothing is left to find, as far as the given cosine. */
typedef struct carom_surface_known {
    carom_vec3 normal;
    double cosine;
} carom_surface_known;

#define CAROM_KNOWN_SOLVED 0.999            /* about a solution of Newton's method */
#define CAROM_KNOWN_ALONE (1 - 1e-10)       /* the direction itself */

/* Direction of largest separation of the polytope, of several (origin inside) one that is not about a known one; false:
   there is none. With the origin outside there is one, known or not. */
bool carom_gjk_best(const carom_gjk *hull, const carom_surface_known *known, int count,
                             carom_surface_guess *out);
/* Adds the support along n; the separation along n in `separation`. False: the polytope does not grow there. */
bool carom_gjk_grow(carom_gjk *hull, carom_vec3 n, double *separation);
/* Grows the polytope until the best direction is known to `exact` of the size, `growth` times at most, and returns the
   separation along it [m]. */
double carom_gjk_least(carom_gjk *hull, double exact, int growth, carom_surface_guess *out);

#endif
