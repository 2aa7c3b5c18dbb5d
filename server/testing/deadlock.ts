import type { TestContext } from 'node:test'
import type { Pool } from 'pg'

/**
 * Makes the first change of a row that matches `change` fail as if its transaction had deadlocked with another transaction. Later changes
 * succeed. `change` is the event of a trigger, like `update of stage on runs`. The trigger is removed when the test ends.
 */
export async function deadlockOnce(t: TestContext, pool: Pool, change: string): Promise<void> {
  // A sequence keeps its value on a rollback, so that the retry of the transaction does not count as the first change again.
  await pool.query(`create sequence deadlocks;
    create function deadlock_once() returns trigger language plpgsql as $$ begin
      if nextval('deadlocks') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if;
      return new; end $$;
    create trigger deadlock_once before ${change} for each row execute function deadlock_once()`)
  t.after(() => pool.query('drop function deadlock_once cascade; drop sequence deadlocks'))
}
