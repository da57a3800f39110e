/**
 * Closes resources one after the other, the last opened first. A failure does not keep the others from being closed. Throws the
 * first failure once all are closed.
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
