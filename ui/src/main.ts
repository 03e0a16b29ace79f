// The door: takes the code of a link out of the address, comes in with it, connects the live feed, and shows the app.
import { mount } from 'svelte';
import { takeFromAddress } from './access/entry';
import { live } from './api/live.svelte';
import App from './App.svelte';
import './app.css';
import { session } from './shell/session.svelte';

const brought = takeFromAddress();
session.recallName();
void session.begin(brought).then(() => {
  if (!session.unknown) live.connect();
});
live.onRefused(() => void session.load());
live.onReset(() => void session.load());
addEventListener('online', live.hurry);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) live.hurry();
});

const target = document.getElementById('app');
if (target) mount(App, { target });
