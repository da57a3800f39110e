export function runTimeFiles(): Promise<string[]>
