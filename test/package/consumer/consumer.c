// What a program that uses the installed library looks like: valid C and C++. It drops a beam on
// the floor, checks that the library is the one of the header, and prints the digest, which must be
// the same for every way to link and every number of lanes (the argument).
#include <pliant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char* what)
{
    printf("%s: %s\n", what, pliant_error_text());
    return 1;
}

int main(int argc, char** argv)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", PLIANT_VERSION_MAJOR, PLIANT_VERSION_MINOR,
             PLIANT_VERSION_PATCH);
    if (strcmp(version, pliant_version()) != 0) return complain("the header is of another version");

    pliant_mesh* mesh = NULL;
    pliant_world* world = NULL;
    pliant_world_def world_def = pliant_world_defaults();
    if (argc > 1) world_def.lanes = atoi(argv[1]);
    if (pliant_mesh_generate("beam:6x2x2", &mesh) != PLIANT_OK) return complain("no mesh");
    if (pliant_world_create(&world_def, &world) != PLIANT_OK) return complain("no world");

    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def place = pliant_body_defaults();
    place.position[1] = 0.1;
    pliant_collider_def ground = pliant_collider_defaults();
    if (pliant_world_add_collider(world, &ground, NULL)) return complain("no collider");
    if (pliant_world_add_soft(world, mesh, &soft, &place, NULL)) return complain("no body");
    for (int step = 0; step < 20; ++step)
        if (pliant_world_step(world, 0.01f) != PLIANT_OK) return complain("no step");

    uint64_t digest;
    if (pliant_world_digest(world, &digest)) return complain("no digest");
    printf("%s %016llx\n", pliant_version(), (unsigned long long)digest);
    pliant_world_destroy(world);
    pliant_mesh_destroy(mesh);
    return 0;
}
