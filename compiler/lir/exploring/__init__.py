"""Programs that go through situations: counting sequences of moves, finding all situations."""
