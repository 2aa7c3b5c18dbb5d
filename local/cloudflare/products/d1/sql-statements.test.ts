import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { splitStatements } from './sql-statements.ts'

describe('splitting SQL text into statements', () => {
  test('splitting SQL text into statements omits empty statements and those with only comments', () => {
    assert.deepEqual(splitStatements(' ; -- nothing\n; /* ; */ ;'), [])
    assert.deepEqual(splitStatements('SELECT 1'), ['SELECT 1'])
    assert.deepEqual(splitStatements('SELECT 1; SELECT 2;\n'), ['SELECT 1', 'SELECT 2'])
  })

  test('a semicolon in a literal, a quoted name or a comment does not end a SQL statement', () => {
    const one = `INSERT INTO "a;b" (\`c;d\`, [e;f]) VALUES ('it''s; fine') -- really; yes\n/* ; */`
    assert.deepEqual(splitStatements(`${one}; SELECT 2`), [one, 'SELECT 2'])
  })

  test('a SQL trigger including its body is one statement', () => {
    const trigger = `CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN
      UPDATE a SET n = CASE WHEN n > 1 THEN 1 ELSE 2 END; DELETE FROM b; END`
    assert.deepEqual(splitStatements(`${trigger}; SELECT 1;`), [trigger, 'SELECT 1'])
  })

  test('END and CASE outside a trigger do not affect how SQL text is split', () => {
    assert.deepEqual(splitStatements('SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 3'), [
      'SELECT CASE 1 WHEN 1 THEN 2 END',
      'SELECT 3',
    ])
  })

  test('an unterminated literal extends to the end of the SQL text', () => {
    assert.deepEqual(splitStatements(`SELECT 'open; SELECT 2`), [`SELECT 'open; SELECT 2`])
  })
})
