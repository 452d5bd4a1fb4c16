module example.com/addr
