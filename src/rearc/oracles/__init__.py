"""One file per system family: what each transition costs against a gold tree."""
