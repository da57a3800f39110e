export const SLACK_LINES: number
export function countLines(dir?: string): Promise<number>
export function judgeLines(lines: number, limit: number): { isOk: boolean; advice: string | null }
