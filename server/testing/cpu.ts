/**
 * Returns the CPU milliseconds of this process during `work`. Time while the machine is busy with other
 * processes does not count.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
