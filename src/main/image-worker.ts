/**
 * The image worker: a child process that decodes and encodes pictures, so that a hostile one can take down no more than
 * this. It gets bytes and returns bytes, never a path. See images/image-worker-client.ts for the other end.
 */
import { serveImageTasks } from './images/serve-image-tasks.ts'

serveImageTasks()
