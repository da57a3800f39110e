/** One line of safety taken out of the source, and the test that must notice. */
export interface Mutation {
  /** What is no longer done. */
  without: string
  file: string
  from: string
  to: string
  test: { file: string; name: string }
}

/** Every `from` must be in its file exactly once: a change there has to be made here too. */
export const MUTATIONS: readonly Mutation[] = [
  {
    without: 'bringing the bytes of a result to the disk before it has its name',
    file: 'src/main/files/stage-file.ts',
    from: 'await part.sync()',
    to: '',
    test: { file: 'test/faults/power-cut.test.ts', name: 'survives a power cut at any moment' },
  },
  {
    without: 'bringing the name of a result to the disk before the journal says that it is there',
    file: 'src/main/files/publish-file.ts',
    from: 'await syncFolder(folder.self)\n      await releaseStaged(part)\n      return path',
    to: 'await releaseStaged(part)\n      return path',
    test: { file: 'test/faults/power-cut.test.ts', name: 'survives a power cut at any moment' },
  },
  {
    without: 'setting the mode on the file that was written, and not on what its name stands for',
    file: 'src/main/files/replace-original.ts',
    from: 'await part.handle.chmod(',
    to: "await (await import('node:fs/promises')).chmod(part.partPath, ",
    test: { file: 'test/files/hostile-folder.test.ts', name: 'gives the mode of the original to no other file' },
  },
  {
    without: 'a place of a held folder inside the root',
    file: 'src/main/files/held-folder.ts',
    from: 'if (!isInside(await realpath(root), real)) throw outside(path)',
    to: '',
    test: { file: 'test/files/hostile-folder.test.ts', name: 'is neither swept, restored, nor read for a sidecar' },
  },
  {
    without: 'the intent on the disk before the request leaves',
    file: 'src/main/core/transition.ts',
    from: "['dispatch', 'accepted',",
    to: "['accepted',",
    test: { file: 'test/faults/power-cut.test.ts', name: 'survives a power cut at any moment' },
  },
  {
    without: 'a name that is only taken when it is free',
    file: 'src/main/files/take-name.ts',
    from: 'await link(from, to)',
    to: 'void link\n    return await rename(from, to).then(() => "named" as const)',
    test: { file: 'test/files/publish-file.test.ts', name: 'takes the next name when the planned one is taken' },
  },
  {
    without: 'waiting until two looks at a file agree',
    file: 'src/main/watch/settle.ts',
    from: 'entry.sample === null || !this.#same(entry.sample, now)',
    to: 'entry.sample === null',
    test: { file: 'test/watch/settle.test.ts', name: 'is not offered while it grows, however long that takes' },
  },
  {
    without: 'looking again whether a file changed while it was read',
    file: 'src/main/files/snapshot.ts',
    from: 'bytes === null || !sameVersion(before, after)',
    to: 'bytes === null || after.size < 0n',
    test: { file: 'test/files/snapshot.test.ts', name: 'never gives bytes that the file did not have at one moment' },
  },
  {
    without: 'refusing a link in place of a picture',
    file: 'src/main/files/hash-file.ts',
    from: 'constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)',
    to: 'constants.O_RDONLY',
    test: { file: 'test/files/snapshot.test.ts', name: 'takes no link, folder, pipe or device' },
  },
  {
    without: 'staying inside the folder',
    file: 'src/main/files/snapshot.ts',
    from: 'if (!isInside(await realpath(rootDir), realPath))',
    to: 'if (!isInside(await realpath("/"), await realpath(rootDir)))',
    test: { file: 'test/files/snapshot.test.ts', name: 'finds a file that is reached through a linked folder' },
  },
  {
    without: 'leaving redirects alone',
    file: 'src/main/services/exchange.ts',
    from: 'dispatcher.dispatch(outgoing, this)',
    to: 'dispatcher.compose(interceptors.redirect({ maxRedirections: 5 })).dispatch(outgoing, this)',
    test: {
      file: 'test/services/image-service.test.ts',
      name: 'never follows a redirect, other than that of a download',
    },
  },
  {
    without: 'the cap on an answer',
    file: 'src/main/services/exchange.ts',
    from: 'if (this.#receivedBytes > reader.maxBytes)',
    to: 'if (this.#receivedBytes < 0)',
    test: { file: 'test/services/image-service.test.ts', name: 'stops at the cap' },
  },
  {
    without: 'the decoding of what was downloaded',
    file: 'src/main/queue/fetch-optimized.ts',
    from: 'await checkContent(context, work, staged, signal)',
    to: 'void checkContent',
    test: { file: 'test/faults/network.test.ts', name: 'that is cut, lengthless, slow or something else' },
  },
  {
    without: 'the guard against a second payment',
    file: 'src/main/queue/payments.ts',
    from: 'if (known !== null && !mayRepeat(db, job, known.state)) throw',
    to: 'if (known !== null && job.id === "") throw',
    test: { file: 'test/queue/job-store.test.ts', name: 'lets nothing send the same content a second time' },
  },
  {
    without: 'doubt about what was being sent in a crash',
    file: 'src/main/core/transition.ts',
    from: "if (job.state === 'sending') return end('unknown', { code: 'crashed_while_sending', detail: null })",
    to: "if (job.state === 'sending') return { state: 'ready' }",
    test: { file: 'test/core/transition.test.ts', name: 'makes a job that was being sent when the process died' },
  },
  {
    without: 'looking again whether the original changed while a smaller copy of it was made',
    file: 'src/main/queue/sent-copy.ts',
    from: 'if (!(await files.hasHash(source.path, image.sha256)))',
    to: 'if (image.sha256 === "")',
    test: { file: 'test/queue/oversize.test.ts', name: 'a change of the original keeps both versions here' },
  },
  {
    without: 'knowing Hangar’s own results by their content',
    file: 'src/main/queue/outputs.ts',
    from: "if (output.role !== 'sidecar') rememberOutputHash(db, output.sha256)",
    to: '',
    test: { file: 'test/queue/job-store.test.ts', name: 'are known by their hash from before their name is taken' },
  },
  {
    without: 'believing the sidecars of another computer',
    file: 'src/main/queue/look-at-picture.ts',
    from: 'return (await files.outputsToldOf(dirname(order.path))).hashes.has(read.sha256)',
    to: 'return files.outputsToldOf.length > 5',
    test: { file: 'test/faults/two-computers.test.ts', name: 'pay once when one comes after the other' },
  },
  {
    without: 'waiting for a slot of the rate budget',
    file: 'src/main/core/rate-budget.ts',
    from: 'return Math.max(0, this.#limitAt(nowMs) - this.#liveCount)',
    to: 'return Math.max(1, this.#limitAt(nowMs) - this.#liveCount)',
    test: { file: 'test/core/rate-budget.test.ts', name: 'refuses to book a call that has no slot' },
  },
  {
    without: 'taking keys out of the log',
    file: 'src/main/redactor.ts',
    from: 'for (const form of encodings(secret)) hidden.add(form)',
    to: '',
    test: { file: 'test/log.test.ts', name: 'that was registered never appears, wherever it is put' },
  },
  {
    without: 'keeping keys from children',
    file: 'src/main/fork-child.ts',
    from: 'filter(([name]) => allowed(name))',
    to: "filter(() => allowed('PATH'))",
    test: {
      file: 'test/files/image-worker-client.test.ts',
      name: 'gives the child no key, proxy or Node option of ours',
    },
  },
]
