/** Version of the input and result documents; goes up when a field changes its meaning or its name. */
export const SCHEMA_VERSION = 1
