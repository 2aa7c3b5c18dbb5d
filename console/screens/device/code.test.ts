import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCode } from './code.ts'

test('a device code is accepted in lower case and with or without dashes, but only with eight characters', () => {
  for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'W-D-J-B-M-J-H-T'])
    assert.equal(readCode(typed), 'WDJB-MJHT', typed)
  for (const typed of ['', 'WDJB', 'WDJB-MJH', 'WDJB-MJHTX', '0000-1111'])
    assert.equal(readCode(typed), null, typed)
})
