/**
 * Returns the CPU milliseconds of this thread during `work`. The time of other processes and of the threads that compile and collect
 * garbage does not count.
 */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
