module watcher

go 1.21
