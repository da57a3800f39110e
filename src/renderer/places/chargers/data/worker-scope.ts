/** What a worker's global object is used for here. The page's own types are loaded, which know none. */
interface WorkerScope<In, Out> {
  onmessage: ((event: MessageEvent<In>) => void) | null
  postMessage(message: Out, transfer?: Transferable[]): void
}

export function workerScope<In, Out>(): WorkerScope<In, Out> {
  return globalThis as unknown as WorkerScope<In, Out>
}
