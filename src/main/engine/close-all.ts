/**
 * Closes resources one after the other, the last opened first. A failure keeps none of the others open: a lock that is not
 * released would outlast its reason. Throws the first failure once all are closed.
 */
export async function closeAll(opened: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of [...opened].reverse())
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}
