export const NAME: string
export const ID: string
export function menuEntry(program?: string): string
export function metainfo(): string
