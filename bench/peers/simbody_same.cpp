// Forward dynamics of the bodies that `mujoco_same -l` lists, in Simbody 3.7 (Debian): CPU time of realize(Acceleration),
// median of seven, beside Carom's of the list. `off`: largest difference of the acceleration of a hinge or slide, as a
// share of the largest. Listed spheres touch a half space by HuntCrossleyForce, with friction; the laws are not Carom's,
// and accelerations are not compared then.
// usage: mujoco_same -l [MODEL.yaml ...] | simbody_same, with contacts mujoco_same -lc
#include "Simbody.h"
#include "peertime.h"
#include <iostream>
#include <string>
#include <vector>
using namespace SimTK;

struct Listed {
    int body, parent;
    std::string type;
    Real mass, i[6], axes[9], p[3], axis[3], far[3], rate, acceleration;
};

struct Sphere {
    int body;
    Real radius, at[3];
};

static std::istream &operator>>(std::istream &in, Listed &b)
{
    in >> b.body >> b.parent >> b.type >> b.mass;
    for (Real &x : b.i) in >> x;
    for (Real &x : b.axes) in >> x;
    for (Real &x : b.p) in >> x;
    for (Real &x : b.axis) in >> x;
    for (Real &x : b.far) in >> x;
    return in >> b.rate >> b.acceleration;
}

static std::istream &operator>>(std::istream &in, Sphere &b)
{
    return in >> b.body >> b.radius >> b.at[0] >> b.at[1] >> b.at[2];
}

static double time_realize(MultibodySystem &system, State &s)
{
    double t[7];
    for (double &one : t) {
        long n = 0;
        const double start = cpu_now();
        do
            for (int k = 0; k < 10; k++, n++) {
                s.updQ();
                system.realize(s, Stage::Acceleration);
            }
        while (cpu_now() - start < 0.05);
        one = (cpu_now() - start) / (double)n * 1e6;
    }
    return median(t, 7);
}

// Acceleration of the joints, against Carom's.
static double difference(State &s, const std::vector<Listed> &bodies, const std::vector<MobilizedBody> &made)
{
    double off = 0, scale = 0;
    for (const Listed &b : bodies)
        if (b.type == "pin" || b.type == "slider") {
            off = std::max(off, std::fabs(made[b.body].getOneUDot(s, 0) - b.acceleration));
            scale = std::max(scale, std::fabs(b.acceleration));
        }
    return off / scale;
}

static void compare(const std::string &name, const Vec3 &gravity, double carom, const std::vector<Listed> &bodies,
                    const std::vector<Sphere> &spheres)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    forces.setNumberOfThreads(1);
    Force::Gravity weight(forces, matter, gravity);
    GeneralContactSubsystem contacts(system);
    const ContactSetIndex set = contacts.createContactSet();
    HuntCrossleyForce law(forces, contacts, set);
    std::vector<MobilizedBody> made(bodies.size() + 1);
    made[0] = matter.Ground();
    for (const Listed &b : bodies) {
        const Rotation axes(Mat33(b.axes[0], b.axes[1], b.axes[2], b.axes[3], b.axes[4], b.axes[5], b.axes[6], b.axes[7],
                                  b.axes[8]), true);
        const Transform at(axes, Vec3(b.p[0], b.p[1], b.p[2]));
        const Body::Rigid body(MassProperties(b.mass, Vec3(0), Inertia(b.i[0], b.i[1], b.i[2], b.i[3], b.i[4], b.i[5])));
        MobilizedBody &parent = made[b.parent];
        if (b.type == "free")
            made[b.body] = MobilizedBody::Free(parent, at, body, Transform());
        else if (b.type == "weld")
            made[b.body] = MobilizedBody::Weld(parent, at, body, Transform());
        else {
            const Rotation along(UnitVec3(b.axis[0], b.axis[1], b.axis[2]), CoordinateAxis(b.type == "pin" ? 2 : 0));
            const Transform joint(along, Vec3(b.far[0], b.far[1], b.far[2]));
            if (b.type == "pin")
                made[b.body] = MobilizedBody::Pin(parent, at * joint, body, joint);
            else
                made[b.body] = MobilizedBody::Slider(parent, at * joint, body, joint);
        }
    }
    const Real modulus = 1e7, dissipation = 0.5, friction = 0.8;
    if (!spheres.empty()) {
        contacts.addBody(set, made[0], ContactGeometry::HalfSpace(), Transform(Rotation(Pi / 2, YAxis)));
        law.setBodyParameters(ContactSurfaceIndex(0), modulus, dissipation, friction, friction, 0);
    }
    for (size_t k = 0; k < spheres.size(); k++) {
        const Vec3 at(spheres[k].at[0], spheres[k].at[1], spheres[k].at[2]);
        contacts.addBody(set, made[spheres[k].body], ContactGeometry::Sphere(spheres[k].radius), Transform(at));
        law.setBodyParameters(ContactSurfaceIndex((int)k + 1), modulus, dissipation, friction, friction, 0);
    }
    State s = system.realizeTopology();
    for (const Listed &b : bodies)
        if (b.type == "pin" || b.type == "slider")
            made[b.body].setOneU(s, 0, b.rate);
    system.realize(s, Stage::Acceleration);
    const double theirs = time_realize(system, s);
    std::printf("| %s | %d | %d | %.3f | %.2f | 1/%.1f | ", name.c_str(), s.getNU(),
                (int)contacts.getContacts(s, set).size(), carom, theirs, theirs / carom);
    if (spheres.empty())
        std::printf("%.0e |\n", difference(s, bodies, made));
    else
        std::printf("|\n");
    std::fflush(stdout);
}

int main()
{
    std::string word, name;
    std::printf("| bodies | freedoms | contacts | Carom [us] | Simbody [us] | ratio | off |\n|---|---|---|---|---|---|---|\n");
    while (std::cin >> word >> name) {
        int count, touching;
        double g[3], carom;
        std::cin >> count >> touching >> g[0] >> g[1] >> g[2] >> carom;
        std::vector<Listed> bodies((size_t)count);
        std::vector<Sphere> spheres((size_t)touching);
        for (Listed &b : bodies)
            std::cin >> b;
        for (Sphere &b : spheres)
            std::cin >> b;
        if (!std::cin)
            return 1;
        compare(name, Vec3(g[0], g[1], g[2]), carom, bodies, spheres);
    }
    return 0;
}
