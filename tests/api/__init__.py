"""Calls of everything that can be imported, with everything that Python can pass: none may crash or hang the process.

`surface` lists what can be called, `material` has real things to pass, `calls` puts calls together, `worker` runs them
in a process that may die, and `batches` starts such processes and finds the call that one died of.
"""
