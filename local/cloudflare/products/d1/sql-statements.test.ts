import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { splitStatements } from './sql-statements.ts'

describe('SQL text is cut into statements', () => {
  test('empty ones and comments alone are none', () => {
    assert.deepEqual(splitStatements(' ; -- nothing\n; /* ; */ ;'), [])
    assert.deepEqual(splitStatements('SELECT 1'), ['SELECT 1'])
    assert.deepEqual(splitStatements('SELECT 1; SELECT 2;\n'), ['SELECT 1', 'SELECT 2'])
  })

  test('a semicolon in a text, a name or a comment is no end', () => {
    const one = `INSERT INTO "a;b" (\`c;d\`, [e;f]) VALUES ('it''s; fine') -- really; yes\n/* ; */`
    assert.deepEqual(splitStatements(`${one}; SELECT 2`), [one, 'SELECT 2'])
  })

  test('a trigger is one statement with all it does', () => {
    const trigger = `CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN
      UPDATE a SET n = CASE WHEN n > 1 THEN 1 ELSE 2 END; DELETE FROM b; END`
    assert.deepEqual(splitStatements(`${trigger}; SELECT 1;`), [trigger, 'SELECT 1'])
  })

  test('END and CASE outside a trigger end nothing and open nothing', () => {
    assert.deepEqual(splitStatements('SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 3'), [
      'SELECT CASE 1 WHEN 1 THEN 2 END',
      'SELECT 3',
    ])
  })

  test('a text that is never closed runs to the end instead of hanging', () => {
    assert.deepEqual(splitStatements(`SELECT 'open; SELECT 2`), [`SELECT 'open; SELECT 2`])
  })
})
