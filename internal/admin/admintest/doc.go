// Package admintest tests the packages of staff's pages below admin through the whole service, as browsers see it. The
// tests of a package begin with its name. They are one program as each of them links the whole service: thirteen
// programs took forty seconds of processor to link before the first test ran.
package admintest
