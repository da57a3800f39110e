/** Does something as the Hangar would whose journal or ledger has one more version: its `migrations` end with `sql`. */
export async function withNextVersion<Result>(
  migrations: readonly string[],
  sql: string,
  act: () => Result | Promise<Result>,
): Promise<Result> {
  const versions = migrations as string[]
  versions.push(sql)
  try {
    return await act()
  } finally {
    versions.pop()
  }
}
