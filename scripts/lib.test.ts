import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { run } from './lib.ts'

describe('running a program of the repository', () => {
  test('running a program returns its whole output, including output that arrives after the program has ended', async () => {
    // The shell ends at once; its background process keeps the pipe open and prints later.
    const { code, output } = await run('sh', ['-c', '(sleep 0.3; echo late) & echo early; exit 3'])
    assert.deepEqual({ code, output }, { code: 3, output: 'early\nlate\n' })
  })

  test('running a program that a signal ended returns the exit code 1, and one that does not exist rejects', async () => {
    assert.equal((await run('sh', ['-c', 'kill -9 $$'])).code, 1)
    await assert.rejects(run('no-such-program', []), /ENOENT/)
  })
})
