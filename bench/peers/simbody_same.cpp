// Forward dynamics of the bodies that `mujoco_same -l` lists, in Simbody 3.7 (Debian): CPU time of realize(Acceleration),
// median of seven, beside Carom's of the list. `off`: largest difference of the acceleration of a hinge or slide, as a
// share of the largest.   usage: mujoco_same -l [MODEL.yaml ...] | simbody_same
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

static void compare(const std::string &name, const Vec3 &gravity, double carom, const std::vector<Listed> &bodies)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    forces.setNumberOfThreads(1);
    Force::Gravity weight(forces, matter, gravity);
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
    State s = system.realizeTopology();
    for (const Listed &b : bodies)
        if (b.type == "pin" || b.type == "slider")
            made[b.body].setOneU(s, 0, b.rate);
    system.realize(s, Stage::Acceleration);
    double off = 0, scale = 0;
    for (const Listed &b : bodies)
        if (b.type == "pin" || b.type == "slider") {
            off = std::max(off, std::fabs(made[b.body].getOneUDot(s, 0) - b.acceleration));
            scale = std::max(scale, std::fabs(b.acceleration));
        }
    const double theirs = time_realize(system, s);
    std::printf("| %s | %d | %.3f | %.2f | 1/%.1f | %.0e |\n", name.c_str(), s.getNU(), carom, theirs, theirs / carom,
                off / scale);
    std::fflush(stdout);
}

int main()
{
    std::string word, name;
    std::printf("| bodies | freedoms | Carom [us] | Simbody [us] | ratio | off |\n|---|---|---|---|---|---|\n");
    while (std::cin >> word >> name) {
        int count;
        double g[3], carom;
        std::cin >> count >> g[0] >> g[1] >> g[2] >> carom;
        std::vector<Listed> bodies((size_t)count);
        for (Listed &b : bodies)
            std::cin >> b;
        if (!std::cin)
            return 1;
        compare(name, Vec3(g[0], g[1], g[2]), carom, bodies);
    }
    return 0;
}
