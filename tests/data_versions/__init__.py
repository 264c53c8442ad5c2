"""DVC, the real thing: real repositories, real remotes in a folder and over S3."""
