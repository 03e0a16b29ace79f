// The door: takes the token out of the address, connects the live feed, and shows the app.
import { mount } from 'svelte';
import { live } from './api/live.svelte';
import { takeTokenFromAddress } from './api/token';
import App from './App.svelte';
import './app.css';
import { session } from './shell/session.svelte';

takeTokenFromAddress();
session.recallName();
live.connect();
void session.load();
live.onReset(() => void session.load());
addEventListener('online', live.hurry);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) live.hurry();
});

const target = document.getElementById('app');
if (target) mount(App, { target });
