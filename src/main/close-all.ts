/**
 * Closes what was opened, the last first, each after the one before. One that fails keeps none of the others open: a lock
 * that is not let go of would outlast its reason. Throws the first failure once all are closed.
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
