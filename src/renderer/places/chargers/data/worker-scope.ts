/** The parts of a worker's global object used here; the page's own type libraries lack it. */
interface WorkerScope<In, Out> {
  onmessage: ((event: MessageEvent<In>) => void) | null
  postMessage(message: Out, transfer?: Transferable[]): void
}

export function workerScope<In, Out>(): WorkerScope<In, Out> {
  return globalThis as unknown as WorkerScope<In, Out>
}
