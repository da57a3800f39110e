/** What this thread worked so far: a busy machine does not lengthen it. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
