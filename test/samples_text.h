// The samples that are text. Included by samples.h.
#pragma once

typedef struct {
    const char *format, *variation, *file, *text, *sibling;
} text_sample;

static const text_sample text_samples[] = {
    {"Gmsh", "2.2 with gaps between the tags", "sample.msh",
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"steel\"\n$EndPhysicalNames\n"
     "$Nodes\n5\n9000000000 0 0 0\n3 1 0 0\n17 0 .5 0\n18 0 0 1e0\n-4 1 1 1.25\n$EndNodes\n"
     "$Elements\n5\n1 15 2 0 1 3\n2 1 2 0 1 3 17\n3 2 2 0 1 3 17 18\n"
     "4 4 3 7 1 0 9000000000 3 17 18\n5 4 2 3 1 3 17 18 -4\n$EndElements\n",
     NULL},
    {"Gmsh", "4.1 with physical groups", "sample.msh",
     "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 1 1 2\n1 0 0 0 0\n1 0 0 0 1 1 1 0 2 1 -1\n"
     "1 0 0 0 1 1 1 0 1 1\n1 0 0 0 1 1 1 1 7 1 1\n2 0 0 0 1 1 1 1 3 0\n$EndEntities\n"
     "$Nodes\n2 5 1 5\n2 1 1 3\n1\n2\n3\n0 0 0 0.1 0.1\n1 0 0 0.2 0.2\n0 0.5 0 0.3 0.3\n3 1 0 "
     "2\n4\n5\n"
     "0 0 1\n1 1 1.25\n$EndNodes\n$Elements\n3 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n"
     "3 2 4 1\n3 2 3 4 5\n$EndElements\n",
     NULL},
    {"Gmsh", "4.1 with bare entities", "sample.msh",
     "$Comments\nby hand\n$EndComments\n$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
     "$Nodes\r\n1 5 1 5\r\n3 1 0 5\r\n5\r\n4\r\n3\r\n2\r\n1\r\n0 0 0\r\n1 0 0\r\n0 0.5 0\r\n0 0 "
     "1\r\n"
     "1 1 1.25\r\n$EndNodes\r\n$Elements\r\n2 2 1 2\r\n3 7 4 1\r\n1 5 4 3 2\r\n3 3 4 1\r\n2 4 3 2 "
     "1\r\n"
     "$EndElements\r\n$NodeData\r\nnot looked at",
     NULL},
    {"MEDIT", "with everything that is skipped", "sample.mesh",
     "# by hand\nMeshVersionFormatted 2\n\nDimension\n3\nVertices 5 # five\n0 0 0 1\n1 0 0 1\n"
     "0 5d-1 0 1\n0 0 1 1\n1 1 125e-2 1\nCorners\n2\n1\n2\nTriangles\n1\n1 2 3 9\nEdges\n1\n1 2 9\n"
     "Quadrilaterals\n1\n1 2 3 4 9\nRidges\n1\n1\nNormals\n1\n0 0 1\n"
     "Tetrahedra\n2\n1 2 3 4 7\n2 3 4 5 3\nEnd\n",
     NULL},
    {"VTK", "text", "sample.vtk",
     "# vtk DataFile Version 2.0\na title\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\n"
     "TIME 1 1 double\n0.5\nPOINTS 5 float\n0 0 0 1 0 0 0 0.5 0\n0 0 1 1 1 1.25\nCELLS 5 18\n"
     "1 0\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4 1\n2\nCELL_TYPES 5\n1\n5\n10\n10\n1\n",
     NULL},
    {"VTK", "text 5.1", "sample.vtk",
     "# vtk DataFile Version 5.1\na title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
     "0 0 0 1 0 0 0 0.5 0 0 0 1 1 1 1.25\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\n"
     "OFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 2 3 4\nCELL_TYPES "
     "2\n10\n10\n"
     "CELL_DATA 2\n",
     NULL},
    {"VTU", "text", "sample.vtu",
     "<VTKFile type='UnstructuredGrid' version='0.1' byte_order='BigEndian'>\n"
     "<!-- by <hand> -->\n<UnstructuredGrid>\n<Piece NumberOfPoints='5' NumberOfCells='2'>\n"
     "<PointData><DataArray type='Float32' Name='t' format='ascii'>1 2 3 4 "
     "5</DataArray></PointData>\n"
     "<CellData><DataArray type='Int32' Name='region' format='ascii'>7 3</DataArray></CellData>\n"
     "<Points>\n<DataArray type='Float64' NumberOfComponents='3' format='ascii'>\n"
     "0 0 0 1 0 0 0 0.5 0 0 0 1 1 1 1.25\n</DataArray>\n</Points>\n<Cells>\n"
     "<DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2 3 1 2 3 4</DataArray>\n"
     "<DataArray type='Int32' Name='offsets' format='ascii'>4 8</DataArray>\n"
     "<DataArray type='UInt8' Name='types' format='ascii'>10 10</DataArray>\n</Cells>\n"
     "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
     NULL},
    {"TetGen", "from zero", "sample.node",
     "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 0.5 0\n3 0 0 1\n4 1 1 1.25\n# Generated\n",
     "2 4 1\n0 0 1 2 3 7\n1 1 2 3 4 3.0\n"},
    {"TetGen", "from one, with attributes and markers", "sample.node",
     "# nodes\n5 3 2 1\n\n1 0 0 0 0.1 0.2 1\n2 1 0 0 0.1 0.2 1\n3 0 0.5 0 0 0 1\n4 0 0 1 0 0 0\n"
     "5 1 1 1.25 0 0 0\n",
     "2 4 1\n1 1 2 3 4 7\n# between\n2 2 3 4 5 3\n"},
    {"Gaia", "from zero", "sample.t",
     "Vertex 0 0 0 0\nVertex 1 1 0 0\nVertex 2 0 0.5 0\nVertex 3 0 0 1\nVertex 4 1 1 1.25\n"
     "Tet 0 0 1 2 3\nTet 1 1 2 3 4\n",
     NULL},
    {"PLY", "text", "sample.ply",
     "ply\nformat ascii 1.0\ncomment by hand\nelement material 1\nproperty list uchar float k\n"
     "element vertex 4\nproperty float x\nproperty float nx\nproperty float y\nproperty float z\n"
     "element face 4\nproperty list uchar int vertex_index\nend_header\n2 0.5 0.5\n0 nan 0 0\n"
     "1 0 0 0\n0 0 0.5 0\n0 0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
     NULL},
    {"OFF", "with comments", "sample.off",
     "OFF # by hand\n# counts\n4 4 0\n\n0 0 0\n1 0 0 # one\n0 0.5 0\n0 0 1\n3 0 2 1\n3 0 1 3\n"
     "3 1 2 3\n3 0 3 2\n",
     NULL},
    {"OFF", "with colors", "sample.off",
     "STCOFF\n4 4 6\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n0 0.5 0 0 0 0 0\n0 0 1 0 0 0 0\n"
     "3 0 2 1 0.5 0.5 0.5\n3 0 1 3\n3 1 2 3 255\n3 0 3 2\n",
     NULL},
    {"OFF", "on one line", "sample.off",
     "OFF 4 4 0\n0 0 0\n1 0 0\n0 0.5 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n", NULL},
    {"STL", "text", "sample.stl",
     "solid a name\nfacet normal nan 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0.5 0\nvertex 1 0 0\n"
     "endloop\nendfacet\nfacet normal 0 0 0\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n"
     "  vertex 0 0 1\n endloop\nendfacet\nFACET NORMAL 0 0 0\nOUTER LOOP\nVERTEX 1 0 0\n"
     "VERTEX 0 0.5 0\nVERTEX 0 0 1\nENDLOOP\nENDFACET\nfacet normal 0 0 0\n"
     "outer loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 0.5 0\nendloop\nendfacet\nendsolid b\n",
     NULL},
    {"OBJ", "corners of every form", "sample.obj",
     "# by hand\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 0 0.5 0 0.1 0.2 0.3\nv 0 0 1\n"
     "vt 0 0\nvn 0 0 1\ng group\nusemtl red\ns off\nf 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\n"
     "f -3 -2 -1\nf 1/1 4/1 3/1 # last\n",
     NULL},
    {"OBJ", "without a last line end", "sample.obj",
     "v 0 0 0\r\nv 1 0 0\r\nv 0 0.5 0\r\nv 0 0 1\r\nf 1 3 2\r\nf 1 2 4\r\nf 2 3 4\r\nf 1 4 3",
     NULL},
};
