import {
  alternative,
  call,
  conditionOn,
  instead,
  leftOnly,
  literal,
  otherArgument,
  otherStatement,
  otherValue,
  property,
  variable,
  withoutStatement,
  type Place,
} from './mutate.ts'

/** One measure of safety taken out of the source, and the test that must notice. */
export interface Mutation extends Place {
  /** What is no longer done. */
  without: string
  test: { file: string; name: string }
}

export const MUTATIONS: readonly Mutation[] = [
  {
    without: 'the hash of a file with new texts among Hangar’s own before it takes its place',
    file: 'src/main/queue/refresh-texts.ts',
    in: 'exchange',
    change: withoutStatement(call('rememberOutputHash')),
    test: {
      file: 'test/queue/refresh-texts.test.ts',
      name: 'have their new bytes known, and noted in the sidecar beside the earlier ones, before these make way',
    },
  },
  {
    without: 'bringing the bytes of a result to the disk before it has its name',
    file: 'src/main/files/stage-file.ts',
    in: 'stageFile',
    change: withoutStatement(call('sync')),
    test: { file: 'test/faults/power-cut.test.ts', name: 'survives a power cut at any moment' },
  },
  {
    without: 'bringing the name of a result to the disk before the journal says that it is there',
    file: 'src/main/files/publish-file.ts',
    in: 'publishNow',
    change: withoutStatement(call('syncFolder')),
    test: { file: 'test/faults/power-cut.test.ts', name: 'survives a power cut at any moment' },
  },
  {
    without: 'setting the mode on the file that was written, and not on what its name stands for',
    file: 'src/main/files/replace-original.ts',
    in: 'replace',
    change: instead(call('chmod'), "(await import('node:fs/promises')).chmod(part.partPath, ARGS)"),
    test: { file: 'test/files/hostile-folder.test.ts', name: 'gives the mode of the original to no other file' },
  },
  {
    without: 'a place of an open folder inside the root',
    file: 'src/main/files/folder-handle.ts',
    in: 'openAt',
    change: withoutStatement(conditionOn('real')),
    test: { file: 'test/files/hostile-folder.test.ts', name: 'is neither swept, restored, nor read for a sidecar' },
  },
  {
    without: 'the intent on the disk before the request leaves',
    file: 'src/main/core/transition.ts',
    in: 'isDurable',
    change: instead(literal('dispatch'), "'no event'"),
    test: { file: 'test/faults/power-cut.test.ts', name: 'survives a power cut at any moment' },
  },
  {
    without: 'the id that the service gave the image, instead of the job’s',
    file: 'src/main/queue/fetch-optimized.ts',
    in: 'fetchOptimized',
    change: otherValue(variable('imageId'), 'work.job.remoteJobId!'),
    test: {
      file: 'test/simulation/queue-simulation.test.ts',
      name: 'fetches each picture its own file from a service that gives images the ids of other jobs',
    },
  },
  {
    without: 'a name that is only taken when it is free',
    file: 'src/main/files/take-name.ts',
    in: 'takeName',
    change: otherStatement(call('link'), 'return await renameWithRetry(from, to).then(() => "named" as const)'),
    test: { file: 'test/files/publish-file.test.ts', name: 'takes the next name when the planned one is taken' },
  },
  {
    without: 'waiting until two samples of a file agree',
    file: 'src/main/watch/settle.ts',
    in: '#sampleAgain',
    change: leftOnly(alternative('#same')),
    test: { file: 'test/watch/settle.test.ts', name: 'is not offered while it grows, however long that takes' },
  },
  {
    without: 'looking again whether a file changed while it was read',
    file: 'src/main/files/snapshot.ts',
    in: 'takeSnapshot',
    change: leftOnly(alternative('sameVersion')),
    test: { file: 'test/files/snapshot.test.ts', name: 'never gives bytes that the file did not have at one moment' },
  },
  {
    without: 'refusing a link in place of a picture',
    file: 'src/main/files/hash-file.ts',
    in: 'READ_WITHOUT_FOLLOWING',
    change: instead(property('O_NOFOLLOW'), 'constants.O_RDONLY'),
    test: { file: 'test/files/snapshot.test.ts', name: 'takes no link, folder, pipe or device' },
  },
  {
    without: 'staying inside the folder',
    file: 'src/main/files/snapshot.ts',
    in: 'takeSnapshot',
    change: withoutStatement(conditionOn('isInside')),
    test: { file: 'test/files/snapshot.test.ts', name: 'finds a file that is reached through a linked folder' },
  },
  {
    without: 'leaving redirects alone',
    file: 'src/main/services/exchange.ts',
    in: 'start',
    change: instead(
      call('dispatch'),
      'dispatcher.compose(interceptors.redirect({ maxRedirections: 5 })).dispatch(ARGS)',
    ),
    header: "import { interceptors } from 'undici'",
    test: {
      file: 'test/services/image-service.test.ts',
      name: 'never follows a redirect, other than that of a download',
    },
  },
  {
    without: 'the cap on an answer',
    file: 'src/main/services/exchange.ts',
    in: 'onResponseData',
    change: withoutStatement(conditionOn('maxBytes')),
    test: { file: 'test/services/image-service.test.ts', name: 'stops at the cap' },
  },
  {
    without: 'the decoding of what was downloaded',
    file: 'src/main/queue/fetch-optimized.ts',
    in: 'fetchOptimized',
    change: instead(call('checkContent'), '({ stop: null, frames: 1, extras: [] } as const)'),
    test: { file: 'test/faults/network.test.ts', name: 'that is cut, lengthless, slow or something else' },
  },
  {
    without: 'the guard against a second payment',
    file: 'src/main/journal/payments.ts',
    in: 'beginDispatch',
    change: withoutStatement(conditionOn('mayRepeat')),
    test: { file: 'test/journal/job-store.test.ts', name: 'lets nothing send the same content a second time' },
  },
  {
    without: 'doubt about what was being sent in a crash',
    file: 'src/main/core/transition.ts',
    in: 'restart',
    change: instead(call('end'), "({ state: 'ready' } as const)"),
    test: { file: 'test/core/transition.test.ts', name: 'makes a job that was being sent when the process died' },
  },
  {
    without: 'looking again whether the original changed while a smaller copy of it was made',
    file: 'src/main/queue/sent-copy.ts',
    in: 'uploadOf',
    change: withoutStatement(conditionOn('hasHash')),
    test: { file: 'test/queue/oversize.test.ts', name: 'a change of the original keeps both versions here' },
  },
  {
    without: 'knowing Hangar’s own results by their content',
    file: 'src/main/journal/outputs.ts',
    in: 'recordOutput',
    change: withoutStatement(call('rememberOutputHash')),
    test: { file: 'test/journal/job-store.test.ts', name: 'are known by their hash from before their name is taken' },
  },
  {
    without: 'believing the sidecars of another computer',
    file: 'src/main/queue/assess-picture.ts',
    in: 'isOwnOutput',
    change: instead(call('has'), 'false'),
    test: { file: 'test/faults/two-computers.test.ts', name: 'pay once when one comes after the other' },
  },
  {
    without: 'waiting for a slot of the rate budget',
    file: 'src/main/core/rate-budget.ts',
    in: 'freeSlots',
    change: otherArgument(call('max'), 0, '1'),
    test: { file: 'test/core/rate-budget.test.ts', name: 'refuses to book a call that has no slot' },
  },
  {
    without: 'taking keys out of the log',
    file: 'src/main/log/redactor.ts',
    in: 'hide',
    change: withoutStatement(call('encodings')),
    test: { file: 'test/log.test.ts', name: 'that was registered never appears, wherever it is put' },
  },
  {
    without: 'keeping keys from children',
    file: 'src/main/children/fork-child.ts',
    in: 'childEnvironment',
    change: instead(call('allowed'), 'true'),
    test: {
      file: 'test/images/image-worker-client.test.ts',
      name: 'gives the child no key, proxy or Node option of ours',
    },
  },
]
