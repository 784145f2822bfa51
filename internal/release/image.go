package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// blobs are the files of an OCI image layout that are named after their digests.
type blobs []file

// A descriptor points to a blob.
type descriptor struct {
	MediaType string            `json:"mediaType"`
	Digest    string            `json:"digest"`
	Size      int               `json:"size"`
	Platform  map[string]string `json:"platform,omitempty"`
	Notes     map[string]string `json:"annotations,omitempty"`
}

// Types of blobs: https://github.com/opencontainers/image-spec/blob/v1.1.0/media-types.md.
const ociType = "application/vnd.oci.image."

func (b *blobs) add(kind string, data []byte) descriptor {
	sum := hex.EncodeToString(digest(data))
	*b = append(*b, file{"blobs/sha256/" + sum, 0o644, data})
	return descriptor{MediaType: ociType + kind, Digest: "sha256:" + sum, Size: len(data)}
}

// addJSON adds a document; the types that are written cannot fail.
func (b *blobs) addJSON(kind string, document any) descriptor {
	data, _ := json.Marshal(document)
	return b.add(kind, data)
}

func digest(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

// image writes an OCI image from scratch for Linux, one for each processor, as the archive of a layout.
func (r *release) image() error {
	var b blobs
	var manifests []descriptor
	for _, p := range platforms {
		if p.system != "linux" {
			continue
		}
		binary, err := os.ReadFile(r.binary(p))
		if err != nil {
			return err
		}
		m, err := r.imageOf(&b, p, binary)
		if err != nil {
			return err
		}
		manifests = append(manifests, m)
	}
	data, err := packTar(layout(b, manifests, r.version), r.time)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dist, "tflarena-"+r.version+"-oci.tar"), data, 0o644)
}

// imageOf adds the image of a platform, and returns its manifest.
func (r *release) imageOf(b *blobs, p platform, binary []byte) (descriptor, error) {
	files := []file{{"tflarena", 0o755, binary}}
	for _, f := range r.common {
		if f.name == "LICENSE" || f.name == notices {
			files = append(files, f)
		}
	}
	layer, err := packTar(files, r.time)
	if err != nil {
		return descriptor{}, err
	}
	created := r.time.Format(time.RFC3339)
	labels := map[string]string{
		"org.opencontainers.image.created": created, "org.opencontainers.image.licenses": "Apache-2.0",
		"org.opencontainers.image.revision": r.revision, "org.opencontainers.image.source": "https://" + module,
		"org.opencontainers.image.title": "tflarena", "org.opencontainers.image.version": r.version,
	}
	config := b.addJSON("config.v1+json", map[string]any{
		"architecture": p.processor, "os": p.system, "created": created,
		"config": map[string]any{"Entrypoint": []string{"/tflarena"}, "WorkingDir": "/models", "Labels": labels},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + hex.EncodeToString(digest(layer))}},
	})
	manifest := b.addJSON("manifest.v1+json", map[string]any{
		"schemaVersion": 2, "mediaType": ociType + "manifest.v1+json", "config": config,
		"layers": []descriptor{b.add("layer.v1.tar+gzip", zipped(layer))}, "annotations": labels,
	})
	manifest.Platform = map[string]string{"os": p.system, "architecture": p.processor}
	return manifest, nil
}

// layout returns the files of a layout with one image for several platforms.
func layout(b blobs, manifests []descriptor, version string) []file {
	top := b.addJSON("index.v1+json", map[string]any{"schemaVersion": 2, "mediaType": ociType + "index.v1+json", "manifests": manifests})
	top.Notes = map[string]string{"org.opencontainers.image.ref.name": version}
	index, _ := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": ociType + "index.v1+json", "manifests": []descriptor{top}})
	return append([]file{{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {"index.json", 0o644, index}}, b...)
}
