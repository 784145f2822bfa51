package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"
)

// archiveName is the name of a platform's archive, without its extension; it is that of the folder inside, too.
func (r *release) archiveName(p platform) string { return "tflarena-" + r.version + "-" + p.String() }

// archive is the file of a platform's archive.
func (r *release) archive(p platform) string {
	if p.system == "windows" {
		return r.archiveName(p) + ".zip"
	}
	return r.archiveName(p) + ".tar.gz"
}

// archives writes an archive for each platform.
func (r *release) archives() error {
	for _, p := range platforms {
		binary, err := os.ReadFile(r.binary(p))
		if err != nil {
			return err
		}
		var files []file
		for _, f := range append([]file{{p.command(), 0o755, binary}}, r.common...) {
			files = append(files, file{path.Join(r.archiveName(p), f.name), f.mode, f.data})
		}
		pack := packTarGz
		if p.system == "windows" {
			pack = packZip
		}
		data, err := pack(files, r.time)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.dist, r.archive(p)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// packTar returns an archive whose files belong to root, and have one time.
func packTar(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: at, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func packTarGz(files []file, at time.Time) ([]byte, error) {
	data, err := packTar(files, at)
	if err != nil {
		return nil, err
	}
	return zipped(data), nil
}

func packZip(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		out, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := out.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// zipped returns data compressed by gzip, without a name and a time.
func zipped(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(data) // a buffer takes everything
	w.Close()
	return b.Bytes()
}

func unzipped(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
