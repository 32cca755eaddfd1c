"""meshes.py meshio|vtk FOLDER: .vtu, .ply and .obj frames, by a library that is not ours; strain and
stress once more by matrices."""
import os
import sys
import xml.etree.ElementTree

import numpy

import truth


class Meshio:
    """By meshio, whose .obj knows one texture coordinate for each point only."""

    surfaces = ("ply",)

    def __init__(self):
        import meshio

        self.read = meshio.read

    def volume(self, path):
        mesh = self.read(path)
        tets = {name: parts["tetra"] for name, parts in mesh.cell_data_dict.items()}
        return mesh.points, mesh.cells_dict["tetra"], dict(mesh.point_data), tets

    def surface(self, path):
        mesh = self.read(path)
        return mesh.points, mesh.cells_dict["triangle"].ravel()


class Vtk:
    """By VTK, which is what ParaView reads with."""

    surfaces = ("ply", "obj")

    def __init__(self):
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy

        self.vtk, self.array = vtk, vtk_to_numpy

    def open(self, kind, path):
        reader = getattr(self.vtk, kind)()
        reader.SetFileName(path)
        reader.Update()
        return reader.GetOutput()

    def fields(self, data):
        return {data.GetArrayName(i): self.array(data.GetArray(i))
                for i in range(data.GetNumberOfArrays())}

    def volume(self, path):
        grid = self.open("vtkXMLUnstructuredGridReader", path)
        types = self.array(grid.GetCellTypesArray())
        tets = self.array(grid.GetCells().GetConnectivityArray())[:4 * int((types == 10).sum())]
        assert (types == 10).any() and (types == 5).any() and (types == 3).any(), types
        return (self.array(grid.GetPoints().GetData()), tets.reshape(-1, 4),
                self.fields(grid.GetPointData()), self.fields(grid.GetCellData()))

    def surface(self, path):
        kind = "vtkPLYReader" if path.endswith(".ply") else "vtkOBJReader"
        mesh = self.open(kind, path)
        corners = self.array(mesh.GetPolys().GetConnectivityArray())
        return self.array(mesh.GetPoints().GetData()), corners


def edges(points, tets):
    """Columns are the edges from the first corner."""
    return numpy.stack([points[tets[:, i]] - points[tets[:, 0]] for i in (1, 2, 3)], axis=2)


def check_strain(name, points, tets, displacement, cells, said):
    f = edges(points, tets) @ numpy.linalg.inv(edges(points - displacement, tets))
    green = (numpy.swapaxes(f, 1, 2) @ f - numpy.eye(3)) / 2
    six = numpy.stack([green[:, 0, 0], green[:, 1, 1], green[:, 2, 2], green[:, 0, 1], green[:, 1, 2],
                       green[:, 0, 2]], axis=1)
    truth.agree(f"{name}, strain", cells["strain"][:len(tets)].ravel(), six.ravel(), 1e-5)
    mu = numpy.array(said["shear_modulus"])
    cauchy = (mu / numpy.linalg.det(f))[:, None, None] * (f @ numpy.swapaxes(f, 1, 2))
    deviator = cauchy - numpy.trace(cauchy, axis1=1, axis2=2)[:, None, None] / 3 * numpy.eye(3)
    mises = numpy.sqrt(1.5 * (deviator ** 2).sum(axis=(1, 2)))
    truth.agree(f"{name}, stress", cells["von_mises_stress"][:len(tets)].ravel() / mu, mises / mu, 1e-5)


def check_volume(reader, folder, frame, said):
    name = f"frame_{frame['number']:05d}.vtu"
    points, tets, data, cells = reader.volume(os.path.join(folder, name))
    truth.agree(name, points.ravel(), truth.joined(frame, "particles"))
    assert tets.ravel().tolist() == said["tets"], f"{name}: other tets"
    for key in ("velocity", "contact_force"):
        truth.agree(f"{name}, {key}", data[key].ravel(), truth.joined(frame, key))
    for key in ("color", "patch"):
        assert cells[key][:len(tets)].ravel().tolist() == said[key], f"{name}: {key}"
    check_strain(name, points, tets, data["displacement"], cells, said)


def check_surface(reader, folder, frame, kind, corners):
    """Corner by corner: VTK makes several points of one that has several texture coordinates."""
    name = f"frame_{frame['number']:05d}.{kind}"
    points, found = reader.surface(os.path.join(folder, name))
    seen = numpy.array(truth.joined(frame, "seen")).reshape(-1, 3)
    truth.agree(f"{name}, corners", points[found].ravel(), seen[corners].ravel())
    if kind == "ply":
        truth.agree(f"{name}, points", points.ravel(), seen.ravel())


def check_times(folder, said):
    root = xml.etree.ElementTree.parse(os.path.join(folder, "frames.pvd")).getroot()
    listed = [(item.get("file"), float(item.get("timestep"))) for item in root.iter("DataSet")
              if item.get("part") == "0"]
    expected = [(f"frame_{frame['number']:05d}.vtu", frame["time"]) for frame in said["frames"]]
    assert listed == expected, f"frames.pvd lists {listed}"


def main():
    reader = {"meshio": Meshio, "vtk": Vtk}[sys.argv[1]]()
    folder = sys.argv[2]
    said = truth.load(folder)
    corners = truth.corners(said)
    check_times(folder, said)
    for frame in said["frames"]:
        check_volume(reader, folder, frame, said)
        for kind in reader.surfaces:
            check_surface(reader, folder, frame, kind, corners)


main()
