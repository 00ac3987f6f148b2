// The files of a team in the home: closed to others, without the recovery key, and gone when the machine leaves.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { redactText } from '../../../src/capture/redact/index.ts';
import { invite, makeCredential } from '../../../src/share/keys/acts.ts';
import { acceptInvitation, createTeam, teamOfRecoveryKey } from '../../../src/share/keys/make-team.ts';
import { Team } from '../../../src/share/keys/team.ts';
import { teamStoreAt } from '../../../src/share/keys/team-store.ts';
import { memoryStore } from './memory-store.ts';
import { bytesOf, HOUR_MS, TeamScene } from './team-world.ts';

test('are closed to others, and hold neither the recovery key nor a text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'annals-team-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { world } = new TeamScene();
  const store = teamStoreAt(join(folder, 'share'));
  const { team, recoveryKey } = await createTeam({ name: 'ada', server: 'nats://x' }, store, world);
  await team.seal([{ project: 'planted-project', plain: bytesOf('planted text') }]);
  await team.acknowledged(team.pending().map(({ id }) => id));
  const names = readdirSync(join(folder, 'share'));
  expect(names.sort()).toEqual(['identity.json', 'records.jsonl']);
  expect(statSync(join(folder, 'share')).mode & 0o777).toBe(0o700);
  for (const name of names) {
    expect(statSync(join(folder, 'share', name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'share', name), 'latin1')).not.toMatch(
      new RegExp(`${recoveryKey}|planted`),
    );
  }
  expect(Team.open(store, world)!.members().size).toBe(1);
  expect(teamOfRecoveryKey(recoveryKey.toLowerCase())).toBe(team.id);
  await expect(createTeam({ name: 'x', server: '' }, store, world)).rejects.toMatchObject({
    code: 'INPUT_INVALID',
  });
  await store.remove();
  expect(readdirSync(join(folder, 'share'))).toEqual([]);
});

test('a record that a full disk cut off takes no other one with it', async () => {
  const { world } = new TeamScene();
  const store = memoryStore();
  const { team } = await createTeam({ name: 'ada', server: 'nats://x' }, store, world);
  const known = team.records().length;
  const { append } = store;
  store.append = async (name, text) => {
    await append(name, text.slice(0, text.length / 2));
    throw new Error('ENOSPC');
  };
  const seal = () => team.seal([{ project: 'app', plain: bytesOf('text') }]);
  await expect(seal()).rejects.toThrow('ENOSPC');
  store.append = append;
  await seal();
  expect(Team.open(store, world)!.records()).toHaveLength(known + 1);
});

test('secrets that are given to somebody are redacted where an agent sees them', async () => {
  const { scene, admin } = await TeamScene.of();
  const rights = { name: 'ben', role: 'reader', projects: null, until: null, server: 'nats://x' } as const;
  const secrets = [
    await invite({ ...rights, expiresAt: scene.time + HOUR_MS }, admin, scene.world),
    await makeCredential(rights, admin, scene.world),
    scene.recoveryKey,
  ];
  for (const secret of secrets) {
    const shown = redactText(`The text: ${secret}\nKeep it.`);
    expect(shown).not.toContain(secret.slice(0, 40));
    expect(shown).toContain('Keep it.');
  }
});

test('a text that is no invitation is refused without being quoted', async () => {
  const { world } = new TeamScene();
  const given = ['', 'hello', 'ANNALS-INVITE-', 'ANNALS-INVITE-e30', `ANNALS-READER-${'A'.repeat(60_000)}`];
  for (const text of given)
    await expect(acceptInvitation(text, memoryStore(), world)).rejects.toMatchObject({
      code: 'INVITATION_INVALID',
      message: 'This is not an invitation or a credential of a team.',
    });
});
