import type { TestContext } from 'node:test'
import type { Pool } from 'pg'

/**
 * Lets the first such change of a row fail as if its transaction had deadlocked with another one, until the test ends. `change` is the
 * event of a trigger, like `update of stage on runs`.
 */
export async function deadlockOnce(t: TestContext, pool: Pool, change: string): Promise<void> {
  // A sequence, because its values are not rolled back.
  await pool.query(`create sequence deadlocks;
    create function deadlock_once() returns trigger language plpgsql as $$ begin
      if nextval('deadlocks') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if;
      return new; end $$;
    create trigger deadlock_once before ${change} for each row execute function deadlock_once()`)
  t.after(() => pool.query('drop function deadlock_once cascade; drop sequence deadlocks'))
}
