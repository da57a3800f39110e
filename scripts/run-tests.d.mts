/** The names of skipped tests without their reasons, by reason. */
export function byReason(skipped: readonly string[]): Map<string, string[]>
