/** The capabilities a version is wired to, as it is kept with its deployment. */
export const wiringOf = (enabled: ReadonlySet<string>): string => JSON.stringify([...enabled].sort())
