export function macNode(folder: string, cpu: string): { program: string; licence: string }
